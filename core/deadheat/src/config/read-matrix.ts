import { checkParameterName, type Parameter } from '../settings/parameters.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Text } from '../settings/scalars.ts';
import type { Path, Problems } from '../settings/problem.ts';

/** Most combinations of the parameters of one benchmark, as on the command line, and most measurements of a file. */
export const mostCombinations = 10_000;

/** The parameters of a matrix, values as they are written in the file. One with too many combinations is reported, and is cut to one value each. */
export function readMatrix(
  matrix: Readonly<Record<string, readonly Text[]>>,
  { path, textAt, problems }: { path: Path; textAt: (path: Path, value: Text) => string; problems: Problems },
): readonly Parameter[] {
  const parameters = Object.entries(matrix).map(([name, values]): Parameter => {
    try {
      checkParameterName([name], name);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.add([...path, name], error.message, { at: 'key' });
    }
    const texts = values.map((value, index) => textAt([...path, name, index], value));
    const seen = new Set<string>();
    for (const [index, text] of texts.entries()) {
      if (seen.has(text)) problems.add([...path, name, index], `${name} has the value '${text}' twice`);
      seen.add(text);
    }
    return { name, values: texts };
  });
  const combinations = parameters.reduce((product, { values }) => product * values.length, 1);
  if (combinations > mostCombinations) {
    problems.add(path, `the matrix has ${combinations} combinations, more than ${mostCombinations}`, {
      at: 'key',
      hint: 'Take fewer values, or write several files.',
    });
    return parameters.map(({ name, values }) => ({ name, values: values.slice(0, 1) }));
  }
  return parameters;
}
