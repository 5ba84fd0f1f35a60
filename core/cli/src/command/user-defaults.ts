import { nearestWord } from '@deadheat/model';
import { badConfig, readTree } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { type Option, pick, spellingOf } from './option.ts';
import { outputOptions } from './output-options.ts';

/** Values of options that are not typed, by their keys. */
export type UserDefaults = Readonly<Record<string, unknown>>;

/** The options whose defaults a user may set: they change what is shown, and nothing that is measured or judged. */
const personal = pick(outputOptions, ['style', 'sort', 'timeUnit', 'details']) as unknown as Readonly<
  Record<string, Option<unknown>>
>;

/**
 * The defaults of the user that a file holds.
 *
 * @throws ConfigError with the line of everything that does not belong there
 */
export function readUserDefaults(file: string): UserDefaults {
  const tree = readTree(file, file);
  if (tree.data === null) return {};
  const byName = new Map(Object.entries(personal).map(([key, one]) => [spellingOf(one.flags).slice(2), { key, one }]));
  const names = [...byName.keys()];
  const isMap = typeof tree.data === 'object' && !Array.isArray(tree.data);
  const problems = isMap
    ? []
    : [tree.locate({ path: [], at: 'value', message: 'must be a map', hint: null, cause: null })];
  const values = Object.entries(isMap ? tree.data : {}).map(([name, value]: [string, unknown]) => {
    const known = byName.get(name);
    try {
      if (known !== undefined) return [known.key, valueOf(known.one, { name, value })] as const;
      const nearest = nearestWord(name, names);
      throw new UsageError('BAD_VALUE', `${name} cannot be a default of a user, which is the same for every project`, {
        hint: nearest === null ? `Known here: ${names.join(', ')}.` : `Did you mean ${nearest}?`,
      });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const at = known === undefined ? 'key' : 'value';
      problems.push(tree.locate({ path: [name], at, message: error.message, hint: error.hint, cause: null }));
      return [name, null] as const;
    }
  });
  if (problems.length > 0) throw badConfig(file, problems);
  return Object.fromEntries(values);
}

function valueOf(
  option: Option<unknown>,
  { name, value }: { readonly name: string; readonly value: unknown },
): unknown {
  if (option.read !== undefined) return option.read(String(value));
  if (typeof value === 'boolean') return value;
  throw new UsageError('BAD_VALUE', `${name} must be true or false, not '${String(value)}'`);
}
