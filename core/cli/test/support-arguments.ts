import type { ExperimentDraft } from '@deadheat/engine';
import type { Settings, Workload } from '@deadheat/model';
import { type findExecutable, readObject } from 'deadheat/internals';
import type { CompareValues } from '../src/command/compare-options.ts';
import { type OutputChoices, toOutputChoices } from '../src/command/output-options.ts';
import { type TypedCommands, typedCommands } from '../src/command/typed-experiment.ts';
import { loadSubcommands } from '../src/program/load-subcommands.ts';
import { type Invocation, parseArguments } from '../src/program/parse-arguments.ts';

export const loaded = await loadSubcommands();

/** Typed values of a comparison, or of a command that makes one of a command line. */
interface Request extends CompareValues {
  readonly commands: readonly string[];
  readonly commandLine?: string | null;
  readonly resume: string | null;
}

/** A comparison that was typed: its commands, the settings of its first benchmark, and the experiment that it stands for. */
export interface Compared extends TypedCommands, OutputChoices, Settings {
  readonly kind: 'compare';
  readonly workload: Workload;
  readonly draft: ExperimentDraft;
  readonly output: string | null;
}

/** A machine on which every program is in /bin. */
const findAnything: typeof findExecutable = (word) => ({ kind: 'found', path: `/bin/${word}` });

function compare(
  commands: readonly string[],
  values: CompareValues,
  machine: Pick<Parameters<typeof readObject>[1], 'find' | 'suggest'>,
): Compared {
  const { changes, ...typed } = typedCommands(commands, values);
  const sources = { cwd: process.cwd(), searchPath: '', defaultSeed: '1a2b3c4d', changes };
  const draft = readObject(typed, { ...sources, find: findAnything, ...machine });
  const [first] = draft.benchmarks;
  if (first === undefined) throw new TypeError('no benchmark');
  const settings = { ...draft, ...first.own } as Settings;
  const { workload } = first;
  return {
    ...settings,
    kind: 'compare',
    workload,
    draft,
    ...typed,
    changes,
    output: values.output,
    ...toOutputChoices(values),
  };
}

/** The request of arguments, with every subcommand at hand. */
export function parse(
  args: readonly string[],
  machine: Parameters<typeof compare>[2] = {},
):
  | Exclude<Invocation, { readonly kind: 'compare' }>
  | Compared
  | ({ readonly kind: 'resume'; readonly recording: string } & OutputChoices) {
  const invocation = parseArguments(args, { version: '0.1.0', loaded });
  if (invocation.kind === 'subcommand') {
    const { commandLine = null, ...values } = invocation.request as Request;
    if (commandLine !== null) compare([commandLine, commandLine], values, machine);
  }
  if (invocation.kind !== 'compare') return invocation;
  const { commands, resume, ...values } = invocation.request as Request;
  return resume === null
    ? compare(commands, values, machine)
    : { kind: 'resume', recording: resume, ...toOutputChoices(values) };
}

/** The experiment of a comparison. */
export function draftOf(args: readonly string[], machine: Parameters<typeof compare>[2] = {}): ExperimentDraft {
  const parsed = parse(args, machine);
  if (parsed.kind !== 'compare') throw new TypeError('not a comparison');
  return parsed.draft;
}
