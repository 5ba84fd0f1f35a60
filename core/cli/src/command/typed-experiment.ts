import { existsSync } from 'node:fs';
import { sides } from '@deadheat/model';
import { type Changes, type SideLayer, takesPart } from 'deadheat/internals';
import { createExcerpt, layerOfFlags, type Parameter, type TypedLayer, UsageError } from 'deadheat/settings';
import type { CompareValues } from './compare-options.ts';
import { limitedResources } from './output-options.ts';
import { expandScan } from './parameters.ts';

/*
 * Typed options of an experiment as the innermost layer of its description, and commands.
 */

/** Values of the options that describe an experiment; those of the tables of settings are beside them. */
export type ExperimentValues = Partial<
  Pick<CompareValues, 'commandName' | 'parameterScan' | 'parameterStepSize' | 'parameterList' | 'failOn'>
> & { readonly filter?: readonly string[] };

/** The changes that typed options make to an experiment. @throws UsageError for options that contradict each other */
export function typedChanges(values: ExperimentValues): Changes {
  const { commandName = [], failOn, filter = [] } = values;
  const layer = layerOfFlags({ ...values });
  const parameters = readParameters(values).map(({ name, values: texts }) => [name, texts]);
  const names = valueOfEach('--command-name', { values: commandName, count: sides.length });
  const [A, B] = sides.map((side, index) => ({ ...layer[side], name: names[index] }));
  const typed: TypedLayer = {
    ...layer,
    ...(parameters.length === 0 ? {} : { matrix: Object.fromEntries(parameters) as TypedLayer['matrix'] }),
    ...(commandName.length === 0 ? {} : { A, B }),
  };
  return { typed, filter, resources: limitedResources(failOn) };
}

/** Commands of a comparison, and what was typed beside them. */
export interface TypedCommands {
  /** A, B, and those that A is compared with as well. */
  readonly commands: readonly SideLayer[];
  readonly changes: Changes;
}

/**
 * The comparison of commands that were typed, each with its own name and hooks; one alone is compared with itself.
 *
 * @param typed A is the first of them, or the one that `--reference` names: by its number, or by a command that is put before the others
 * @param limits.most most commands
 * @throws UsageError for options that contradict each other, and for commands that are missing or too many
 */
export function typedCommands(
  typed: readonly string[],
  { reference = null, commandName = [], prepare, conclude, ...values }: Partial<CompareValues>,
  { most = Number.POSITIVE_INFINITY }: { readonly most?: number } = {},
): TypedCommands {
  const { words, first } = readWords(typed, { reference, most });
  const changes = typedChanges(values);
  const { control, 'show-output': showOutput, workload } = changes.typed;
  if (words.length === 1 && control === true) {
    throw new UsageError('CONFLICT', 'a single command is compared with itself already: --control adds nothing', {
      hint: 'Leave it out, or name a second command.',
    });
  }
  if (showOutput === true && Object.values(values.export ?? {}).includes('-')) {
    throw new UsageError('CONFLICT', '--show-output would mix the output of the commands into an export to -', {
      hint: 'Export to a file, or leave --show-output out.',
    });
  }
  const all = words.length === 1 ? [...words, ...words] : words;
  const isHarness = words.every(takesPart) || workload !== undefined;
  if (isHarness && all.length > sides.length) {
    throw new UsageError(
      'CONFLICT',
      '--harness compares two commands, because their benchmarks have names of their own',
      { hint: 'Compare them two by two.' },
    );
  }
  const names = valueOfEach('--command-name', { values: commandName, count: all.length });
  const before = valueOfEach('--prepare', { values: prepare ?? [], count: all.length });
  const after = valueOfEach('--conclude', { values: conclude ?? [], count: all.length });
  const described = all.map((command, n) => {
    const earlier = all.slice(1, n).filter((one, k) => one === command && names[k + 1] === undefined).length;
    const name = names[n] ?? (earlier > 0 ? `${command} (${earlier + 1})` : undefined);
    return { command, name, prepare: before[n], conclude: after[n] };
  });
  const commands = [...described.slice(first, first + 1), ...described.toSpliced(first, 1)];
  const called = commands.slice(1).map(({ command, name = command }) => name);
  const twice = called.find((name, index) => called.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new UsageError('CONFLICT', `two commands are called ${twice}`, {
      hint: 'Give each a name of its own: -n NAME.',
    });
  }
  return { commands, changes: isHarness ? { ...changes, typed: { workload: 'harness', ...changes.typed } } : changes };
}

/**
 * The programs of two versions: the command that was typed, or the file of the current folder.
 *
 * @param values.called words of the command, for advice: `git main`
 * @throws UsageError without either, and as `typedCommands`
 */
export function typedSubject(
  commandLine: string | null,
  { called, ...values }: Partial<CompareValues> & { readonly called: string },
): TypedCommands | { readonly file: string; readonly changes: Changes } {
  if (commandLine !== null) return typedCommands([commandLine, commandLine], values);
  const file = ['deadheat.yaml', 'deadheat.yml'].find((name) => existsSync(name));
  if (file !== undefined) return { file, changes: typedChanges(values) };
  const name = called.replace(/ main$/, '');
  throw new UsageError(
    'MISSING_COMMAND',
    `${name} needs a command, and there is no deadheat.yaml here that names one`,
    {
      hint: `Put the command behind --: deadheat ${called} -- node bench.js.`,
    },
  );
}

/** The command lines with the reference among them, and the place of A. */
function readWords(
  typed: readonly string[],
  { reference, most }: { readonly reference: string | null; readonly most: number },
): { readonly words: readonly string[]; readonly first: number } {
  if (typed[0] === undefined) {
    throw new UsageError('MISSING_COMMAND', 'no command to compare', {
      hint: "Give two commands, deadheat 'command A' 'command B', or try deadheat demo; deadheat --help shows the options.",
    });
  }
  const empty = typed.findIndex((word) => word.trim() === '');
  if (empty !== -1) {
    const called = typed.length > 2 ? `${empty + 1}` : empty === 0 ? 'A' : 'B';
    throw new UsageError('MISSING_COMMAND', `command ${called} is empty`, {
      excerpt: createExcerpt(['deadheat', ...typed], { at: empty + 1 }),
    });
  }
  const isNumber = reference !== null && /^\d+$/.test(reference);
  const words = reference === null || isNumber ? typed : [reference, ...typed];
  if (words.length > most) {
    throw new UsageError('TOO_MANY_ARGUMENTS', `two commands are compared here, not ${words.length}`, {
      excerpt: createExcerpt(['deadheat', ...typed], { at: Math.min(most + 1, typed.length) }),
      hint: "A command and its arguments are one word, in quotes: deadheat 'gzip -6 file' 'gzip -7 file'.",
    });
  }
  const first = isNumber ? Number(reference) - 1 : 0;
  if (first < 0 || first >= words.length || (isNumber && words.length === 1)) {
    const there = words.length === 1 ? 'is a single one' : `are ${words.length}`;
    throw new UsageError('BAD_VALUE', `--reference ${reference} is the number of no command: there ${there}`, {
      hint: 'Number them from 1, or write the command itself.',
    });
  }
  return { words, first };
}

/** The value of an option for each of several commands; one that is given once is for all of them. */
function valueOfEach(
  flag: string,
  { values, count }: { readonly values: readonly string[]; readonly count: number },
): readonly (string | undefined)[] {
  if (values.length === count) return values;
  if (values.length <= 1) return Array.from({ length: count }, () => values[0]);
  const each = count === 2 ? 'once for both commands or twice' : `once for all ${count} commands or once for each`;
  throw new UsageError('BAD_VALUE', `${flag} can be given ${each}, not ${values.length} times`, {
    excerpt: createExcerpt([flag, values[count] ?? values.at(-1) ?? ''], { at: 1 }),
  });
}

/** Most combinations of parameters in one experiment: at five seconds each, fourteen hours. */
const mostCombinations = 10_000;

/** Scans first, then lists, each in the order typed. One step size is for every scan, several are one a scan. */
function readParameters({
  parameterScan: scans = [],
  parameterStepSize: steps = [],
  parameterList: lists = [],
}: ExperimentValues): readonly Parameter[] {
  if (steps.length > 1 && steps.length !== scans.length) {
    const message = `--parameter-step-size is given ${steps.length} times for ${scans.length} of --parameter-scan`;
    throw new UsageError('CONFLICT', message, {
      hint: 'Give it once for all scans, or once for each, in their order.',
    });
  }
  const scanned = scans.map((scan, index) =>
    expandScan(scan, { step: steps[index] ?? steps[0] ?? { units: 1n, places: 0 }, most: mostCombinations }),
  );
  const parameters = [...scanned, ...lists];
  const names = parameters.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError('CONFLICT', `the parameter ${twice} is given twice`);
  if (parameters.reduce((product, { values }) => product * values.length, 1) > mostCombinations) {
    throw new UsageError('BAD_VALUE', `the parameters have more than ${mostCombinations} combinations`, {
      hint: 'Take larger steps (--parameter-step-size) or fewer values.',
    });
  }
  return parameters;
}
