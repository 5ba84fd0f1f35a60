import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fitExperiment, resumeExperiment, startExperiment, type ExperimentDraft } from '@deadheat/engine';
import { recordingFiles, sides, type Benchmark, type Commits, type Comparison, type Report } from '@deadheat/model';
import { readExperiment as readRecordedExperiment, tool } from '@deadheat/recording';
import { cacheFolder } from '@deadheat/versions';
import { keysOfPrograms, noChanges, type Changes } from '../config/changes.ts';
import { readConfig, readSettings, type Described, type Sources } from '../config/read-config.ts';
import { nameExperiment } from '../draft/commands.ts';
import { programFacts } from '../draft/program-files.ts';
import { UsageError } from '../errors/usage-error.ts';
import { flagOfKey } from '../settings/layer-of-flags.ts';
import { loadScheduler, type DetachedExperiment, type FleetRequest } from './fleet.ts';
import {
  libraryKey,
  toFileKeys,
  type CompareFunctionsOptions,
  type CompareOptions,
  type ExperimentDescription,
  type ExperimentOptions,
  type FunctionComparison,
  type NewRunOptions,
  type ReadOptions,
  type RunOptions,
  type SideDescription,
} from './options.ts';
import { compareFunctions, endRepetition } from './compare-functions.ts';
import { withLayoutSpread } from '../versions/layout-spread.ts';
import { withVersions } from '../versions/compare-versions.ts';
import { makePlan, readEarlier, type FullPlan, type Plan } from './plan.ts';
import { running, toDeadheatError, type RunningExperiment, type RunningSession } from './running.ts';

/** Where recordings are unless the caller says otherwise. */
const parent = '.deadheat';

/** The report of a comparison of two commands. */
export interface ComparisonReport extends Report {
  /** The comparison, with a matrix the first of `comparisons`; no property of the report as JSON. */
  readonly comparison: Comparison;
}

/**
 * Compares two functions. Two processes load the calling module again and measure one of them each, at the same time; where they cannot, as in a test,
 * both are measured in this process, in blocks of a drawn order and its reverse, until it is decided or the time is used up.
 *
 * @throws DeadheatError, by the promise
 */
export function compare(options: CompareFunctionsOptions): Promise<FunctionComparison>;
/**
 * Compares two commands on this machine and judges whether B is slower than A.
 *
 * @returns the report, whose `comparison` holds the verdict
 * @throws DeadheatError, by the promise; `BAD_CONFIG` names every option that cannot be carried out
 */
export function compare(options: CompareOptions): RunningExperiment<ComparisonReport>;
export function compare(
  options: CompareOptions | CompareFunctionsOptions,
): RunningExperiment<ComparisonReport> | Promise<FunctionComparison> {
  return isOfFunctions(options)
    ? compareFunctions(options, { caller: compare, compareCommands })
    : compareCommands(options);
}

function isOfFunctions(options: CompareOptions | CompareFunctionsOptions): options is CompareFunctionsOptions {
  return typeof options.a === 'function' || typeof options.b === 'function';
}

function compareCommands(options: CompareOptions): RunningExperiment<ComparisonReport> {
  endRepetition('a comparison of commands');
  const { a, b = a, signal, onProgress, onNotice, variables, output, ...settings } = options;
  const sides = { A: describeSide(a), B: describeSide(b) };
  const names = { A: nameOf(sides.A), B: nameOf(sides.B) };
  const title = names.A === names.B ? names.A : `${names.A} vs ${names.B}`;
  const session = runDraft(
    () =>
      readConfig(
        {
          data: { ...(toFileKeys(settings) as object), benchmarks: { [title]: toFileKeys(sides) } },
          defaultName: nameExperiment([sides.A, sides.B]),
        },
        { ...sourcesFor({ variables }), nameOfKey: libraryKey },
      ),
    { signal, ...(onProgress === undefined ? {} : { onProgress }), onNotice, variables, output },
  );
  const report = session.then(withComparison);
  // A caller that reads only the events learns of a failure when it awaits the report.
  report.catch(() => {});
  return Object.assign(report, {
    settled: session.settled,
    [Symbol.asyncIterator]: () => session[Symbol.asyncIterator](),
  });
}

function withComparison(report: Report): ComparisonReport {
  const comparison = report.comparisons.find(({ controlOf }) => controlOf === undefined);
  return Object.defineProperty(report, 'comparison', { value: comparison }) as ComparisonReport;
}

/**
 * Runs the experiment of a file, or of an object that holds what a file would.
 *
 * @param experiment path of a deadheat.yaml or of a file of duetbench, or the experiment itself
 * @throws DeadheatError, by the promise
 */
export function run(experiment: string | ExperimentDescription, options: ExperimentOptions = {}): RunningExperiment {
  endRepetition('an experiment');
  return runRead(() => readDescribed(experiment, options), {
    ...options,
    file: typeof experiment === 'string' ? experiment : null,
  });
}

/** Runs what {@link readExperiment} gave; `file` is where it was read, which workers of a fleet read as well. */
export function runRead(
  read: () => Promise<ReadExperiment>,
  {
    part,
    on = 'here',
    file,
    ...options
  }: Omit<ExperimentOptions, 'settings' | 'filter'> & { readonly file: string | null },
): RunningSession {
  const { output = null, onNotice = ignore, variables = process.env } = options;
  if (on === 'here') return runDraft(async () => draftOfPart(await read(), part), { ...options, part });
  const facts = { file, directory: output, parent, tool, variables, onNotice };
  return running(async (control) => {
    const { draft, changes } = forFleet(await read());
    return (await loadScheduler('fleet')).run(onMachines(on, draft), { ...control, ...facts, draft, changes });
  }, options);
}

/** @throws UsageError for a change of programs, which workers take from the file alone */
function forFleet(experiment: ReadExperiment): ReadExperiment {
  const [key] = keysOfPrograms(experiment.changes.typed);
  if (key === undefined) return experiment;
  const flag = flagOfKey(key);
  throw new UsageError('CONFLICT', `${flag} does nothing on a fleet, whose workers execute what the file says`, {
    hint: 'Write it into the file.',
  });
}

/** The machines of an experiment are that many workers of the fleet, unless the request has a number of its own. */
function onMachines(on: FleetRequest, { machines }: ExperimentDraft): FleetRequest {
  return { ...on, hosts: on.hosts ?? (typeof machines === 'object' ? machines.length : (machines ?? null)) };
}

/** Leaves what {@link readExperiment} gave to the workers of a fleet; `resume` gathers what they made. */
export async function detachRead(
  experiment: ReadExperiment,
  facts: {
    readonly on: FleetRequest;
    readonly file: string | null;
    readonly output: string | null;
    readonly variables: NonNullable<RunOptions['variables']>;
    readonly signal: AbortSignal;
    readonly onNotice: (text: string) => void;
  },
): Promise<DetachedExperiment> {
  const { on, output, ...rest } = facts;
  const { draft, changes } = forFleet(experiment);
  return (await loadScheduler('fleet')).detach(onMachines(on, draft), {
    ...rest,
    draft,
    changes,
    directory: output,
    parent,
    tool,
    onEvent: ignore,
  });
}

/** Plan of an experiment: its runs in order and, after runs of it in `.deadheat`, their expected duration. */
export async function plan(
  experiment: string | ExperimentDescription | null,
  options: ReadOptions = {},
): Promise<Plan> {
  return planRead(() => readDescribed(experiment, options));
}

/** Plan of what {@link readExperiment} gives. */
export async function planRead(read: () => Promise<ReadExperiment>): Promise<FullPlan> {
  try {
    const { draft, seedIsDrawn } = await read();
    const earlier = await readEarlier(parent, draft.name);
    return makePlan(await fitExperiment(draft), { earlier, seedIsDrawn });
  } catch (error) {
    throw toDeadheatError(error);
  }
}

/**
 * Goes on with an experiment that was interrupted, as it was planned.
 *
 * @param recording its folder
 * @throws DeadheatError, by the promise
 */
export function resume(recording: string, options: RunOptions = {}): RunningExperiment {
  return resumeSession(recording, { ...options, leaves: false });
}

/**
 * Continues an experiment for the command.
 *
 * @param options `leaves`: the experiment was left to the workers of a fleet; it is followed, and an interruption leaves it to them again
 * @throws DeadheatError, by the promise
 */
export function resumeSession(
  recording: string,
  { leaves, ...options }: RunOptions & { readonly leaves: boolean },
): RunningSession {
  const { onNotice = ignore, variables = process.env } = options;
  return running(
    async (control) =>
      isOfFleet(recording, leaves)
        ? (await loadScheduler('fleet')).resume(recording, {
            ...control,
            toolVersion: tool.version,
            variables,
            onNotice,
            leaves,
          })
        : resumeInVersions(recording, control),
    options,
  );
}

/** Continues an experiment of this machine; the folders of its commits or packages are lent to it again, where they are kept. */
async function resumeInVersions(
  recording: string,
  control: Omit<Parameters<typeof resumeExperiment>[0], 'directory'>,
): ReturnType<typeof resumeExperiment> {
  const { benchmarks } = (await readRecordedExperiment(recording)).config;
  const kept = join(cacheFolder(), 'versions');
  const lent = [...new Set(benchmarks.flatMap(foldersOf))].filter(
    (folder): folder is string => folder?.startsWith(kept) === true,
  );
  const resume = (): ReturnType<typeof resumeExperiment> =>
    resumeExperiment({ ...control, directory: recording, describePrograms: programFacts });
  if (lent.length === 0) return resume();
  return withVersions(async (versions) => {
    await versions.lendAgain(lent, control.signal);
    return resume();
  });
}

/** Folders in which the programs of a benchmark are executed, and of further builds of them. */
function foldersOf({ workingDirectory, layouts }: Benchmark): readonly (string | null)[] {
  const further = layouts === undefined ? [] : sides.flatMap((side) => layouts[side].slice(1).map(({ root }) => root));
  return [...Object.values(workingDirectory), ...further];
}

/** @throws UsageError where only an experiment of a fleet can be left to workers, and it is none */
function isOfFleet(recording: string, leaves: boolean): boolean {
  const isSo = existsSync(join(recording, recordingFiles.fleet));
  if (isSo || !leaves) return isSo;
  throw new UsageError('BAD_VALUE', `${recording} holds no experiment of a fleet`, {
    hint: 'An experiment of this machine is continued by resuming it.',
  });
}

/** Runs an experiment here, commands resolved. */
export function runDraft(
  draft: ExperimentDraft | (() => ExperimentDraft | Promise<ExperimentDraft>),
  {
    output = null,
    part,
    commits,
    ...options
  }: NewRunOptions & Pick<ExperimentOptions, 'part'> & { readonly commits?: Commits },
): RunningSession {
  return running(
    async (control) =>
      startExperiment({
        ...control,
        describePrograms: programFacts,
        draft: await withLayoutSpread(typeof draft === 'function' ? await draft() : draft, parent),
        directory: output,
        parent,
        tool,
        ...(part === undefined ? {} : { part }),
        ...(commits === undefined ? {} : { commits }),
      }),
    options,
  );
}

/** An experiment as it was read. */
export interface ReadExperiment {
  readonly draft: ExperimentDraft;
  /** Changes of the description. */
  readonly changes: Changes;
  /** True if neither the experiment nor the changes have a seed. */
  readonly seedIsDrawn: boolean;
}

/** An experiment of the library: keys are named in camel case, also those of settings that change it. */
async function readDescribed(
  experiment: string | ExperimentDescription | null,
  { settings, filter = [], variables }: ReadOptions,
): Promise<ReadExperiment> {
  const typed = settings === undefined ? {} : readSettings(toFileKeys(settings), libraryKey);
  const isObject = typeof experiment === 'object' && experiment !== null;
  const described = isObject ? { data: toFileKeys(experiment), defaultName: 'experiment' } : experiment;
  const named = isObject || settings !== undefined ? { nameOfKey: libraryKey } : {};
  return readExperiment(described, { variables, changes: { ...noChanges, typed, filter }, ...named });
}

/**
 * An experiment with changes, commands resolved.
 *
 * @throws as `readConfig`
 */
export async function readExperiment(
  described: Described,
  {
    variables,
    changes = noChanges,
    ...named
  }: Pick<RunOptions, 'variables'> & { readonly changes?: Changes } & Pick<Sources, 'nameOfKey' | 'suggest'>,
): Promise<ReadExperiment> {
  const sources = { ...sourcesFor({ variables }), ...named, changes };
  const draft = await readConfig(described, sources);
  return { draft, changes, seedIsDrawn: draft.seed === sources.defaultSeed };
}

/** The parts of an experiment share a seed: its own, or what they have in common. */
function draftOfPart({ draft, seedIsDrawn }: ReadExperiment, part: ExperimentOptions['part']): ExperimentDraft {
  if (part === undefined || !seedIsDrawn) return draft;
  if (part.experiment !== null) return { ...draft, seed: part.experiment };
  throw new UsageError('CONFLICT', 'the parts of an experiment need something in common, and there is no seed', {
    hint: 'Give every part the same --experiment-id, or a seed: in the file or by --seed.',
  });
}

function sourcesFor({
  variables = process.env,
}: Pick<RunOptions, 'variables'>): Pick<Sources, 'cwd' | 'searchPath' | 'defaultSeed'> {
  return { cwd: process.cwd(), searchPath: variables['PATH'] ?? '', defaultSeed: drawSeed() };
}

/** A seed where nobody chose one. */
export function drawSeed(): string {
  return randomBytes(4).toString('hex');
}

function ignore(): void {}

function describeSide(side: SideDescription): Exclude<SideDescription, string> {
  return typeof side === 'string' ? { command: side } : side;
}

function nameOf({ name, command }: Exclude<SideDescription, string>): string {
  return name === undefined ? command : String(name);
}
