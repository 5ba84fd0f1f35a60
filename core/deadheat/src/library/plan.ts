import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { longPilotNs, pilotLeaders, planTrial, roundOrder } from '@deadheat/engine';
import { readRecording } from '@deadheat/recording';
import {
  lanesOf,
  type Benchmark,
  configOf,
  type ExperimentConfig,
  type Method,
  type Recording,
  type RunPhase,
  type Schedule,
  type Settings,
  settingsSchema,
  type Side,
  sides,
  type Warning,
  stopRuleOf,
} from '@deadheat/model';

/** Expected duration, as far as it is known before the first run. */
export interface ExpectedTime {
  /** Mean wall time of a run, hooks included, in `recording`; `null` = unknown until the first run. */
  readonly runNs: number | null;
  /** The earlier recording of the same experiment that it was measured in. */
  readonly recording: string | null;
  /** `null` = unknown. */
  readonly leastNs: number | null;
  /** `null` = unknown or without a limit. */
  readonly mostNs: number | null;
}

/** One side as it will be executed. */
interface PlannedSide {
  /** Name of the side. */
  readonly name: string;
  /** Its command line. */
  readonly commandLine: string;
  /** The program, absolute, and its arguments. */
  readonly argv: readonly string[];
  /** Folder of execution; `null` = the current one. */
  readonly workingDirectory: string | null;
  /** Folder of which it gets a copy; `null` = none. */
  readonly scratch: string | null;
  /** Variables beside those of deadheat. */
  readonly environment: Readonly<Record<string, string>>;
  /** Hooks that there are. */
  readonly hooks: Readonly<Record<string, string>>;
}

/** A benchmark, its parameters and one method. */
interface PlanEntry {
  /** Number of the entry, from 1. */
  readonly entry: number;
  /** Name of the benchmark. */
  readonly benchmark: string;
  /** Values of its parameters by their names. */
  readonly params: Benchmark['params'];
  /** The method by which the sides are executed. */
  readonly method: Method;
  /** Number of the entry whose pilot runs choose the method; `null` = it is fixed. */
  readonly chosenBy: number | null;
  /** The kind of its programs. */
  readonly workload: Benchmark['workload'];
  /** Settings with every default filled in, as `experiment.json` of a recording has them. */
  readonly settings: object;
  /** Both sides. */
  readonly sides: Readonly<Record<Side, PlannedSide>>;
  /** Expected time of its runs. */
  readonly expected: ExpectedTime;
}

/** An entry for the command, with the types of its settings. */
export interface FullEntry extends PlanEntry {
  readonly settings: Omit<Settings, 'method'>;
}

/** One run as it was drawn. */
export interface PlannedRun {
  /** Number of its entry, from 1. */
  readonly entry: number;
  /** Number of the run in its phase, from 0. */
  readonly run: number;
  /** Phase of the run: pilot, warm-up or measured. */
  readonly phase: RunPhase;
  /** The side that is started first. */
  readonly order: 'AB' | 'BA';
  /** CPU of each side. */
  readonly cpus: Readonly<Record<Side, number>>;
}

/** Plan that `deadheat run --dry-run` shows. */
export interface Plan {
  /** Name and version of this format. */
  readonly schema: 'deadheat.plan/1';
  /** Name of the experiment. */
  readonly name: string;
  /** Seed of all random choices. */
  readonly seed: string;
  /** True if neither file nor command line has a seed: the experiment itself will draw another. */
  readonly seedIsDrawn: boolean;
  /** Order of the runs of several benchmarks. */
  readonly schedule: Schedule;
  /** Cores of the sides of a duet. */
  readonly cpus: ExperimentConfig['cpus'];
  /** Time limit of the experiment, ns; `null` = none. */
  readonly experimentTimeoutNs: number | null;
  /** Shell commands, by name, whose output is stored with the results. */
  readonly artifacts: Readonly<Record<string, string>>;
  /** Each benchmark, combination of parameters and method. */
  readonly entries: readonly PlanEntry[];
  /** The first rounds, in order; a round is one run of each entry that needs more. */
  readonly rounds: readonly (readonly PlannedRun[])[];
  /** Expected time of the experiment. */
  readonly expected: Pick<ExpectedTime, 'leastNs' | 'mostNs'>;
  /** Warnings about this machine. */
  readonly warnings: readonly Warning[];
}

/** A plan for the command. */
export interface FullPlan extends Plan {
  readonly entries: readonly FullEntry[];
}

/** Rounds that a plan shows. */
const shownRounds = 3;

/** Context of a plan besides the experiment. */
interface PlanFacts {
  /** Recordings of the same experiment, newest first. */
  readonly earlier: readonly Recording[];
  readonly seedIsDrawn: boolean;
}

/** The plan of an experiment on this machine. */
export function makePlan(
  { config, warnings }: { readonly config: ExperimentConfig; readonly warnings: readonly Warning[] },
  { earlier, seedIsDrawn }: PlanFacts,
): FullPlan {
  const leaders = pilotLeaders(config);
  const entries = config.benchmarks.map((benchmark, index) =>
    toEntry(index, { config, benchmark, earlier, leader: leaders[index] ?? index }),
  );
  return {
    schema: 'deadheat.plan/1',
    name: config.name,
    seed: config.seed,
    seedIsDrawn,
    schedule: config.schedule,
    cpus: config.cpus,
    experimentTimeoutNs: config.experimentTimeoutNs,
    artifacts: config.artifacts,
    entries,
    rounds: firstRounds(config),
    expected: totalTime(
      entries.map(({ expected }) => expected),
      config.experimentTimeoutNs,
    ),
    warnings,
  };
}

function toEntry(
  index: number,
  context: {
    readonly config: ExperimentConfig;
    readonly benchmark: Benchmark;
    readonly earlier: readonly Recording[];
    /** Index of the entry whose pilot runs choose the method. */
    readonly leader: number;
  },
): FullEntry {
  const { config, benchmark, earlier, leader } = context;
  const whole = configOf(config, benchmark);
  const { method } = whole;
  const isChosen = whole.pilotRuns > 0;
  const time = {
    ...whole,
    pilotRuns: leader === index ? whole.pilotRuns : 0,
    lanes: lanesOf(method, config.lanes),
  };
  const { name, params, workload } = benchmark;
  const [A, B] = sides.map((side) => toSide(benchmark, side));
  if (A === undefined || B === undefined) throw new RangeError('a benchmark has two sides');
  return {
    entry: index + 1,
    benchmark: name,
    params,
    method,
    chosenBy: isChosen ? leader + 1 : null,
    workload,
    settings: settingsSchema.omit({ method: true }).parse(whole),
    sides: { A, B },
    expected: expectTime(time, findEarlierRuns(earlier, { name, params, method: isChosen ? null : method })),
  };
}

function toSide(benchmark: Benchmark, side: Side): PlannedSide {
  const { name, commandLine, argv } = benchmark.commands[side];
  const hooks = Object.entries(benchmark.hooks[side]).filter((hook): hook is [string, string] => hook[1] !== null);
  return {
    name,
    commandLine,
    argv,
    workingDirectory: benchmark.workingDirectory[side],
    scratch: benchmark.scratch[side],
    environment: benchmark.environment[side],
    hooks: Object.fromEntries(hooks),
  };
}

/** The rounds that the experiment will begin with, unless a benchmark has enough before. */
function firstRounds(config: ExperimentConfig): readonly (readonly PlannedRun[])[] {
  const leaders = pilotLeaders(config);
  const tracks = config.benchmarks.map((benchmark, index) => {
    const own = configOf(config, benchmark);
    const leader = leaders[index] ?? index;
    return {
      index,
      leader,
      config: leader === index ? own : { ...own, pilotRuns: 0 },
      hasPilots: own.pilotRuns > 0,
      runs: 0,
    };
  });
  /** True if pilot runs choose its method. */
  const mayBegin = ({ index, leader, hasPilots }: (typeof tracks)[number]): boolean =>
    leader === index || !hasPilots || (tracks[leader]?.runs ?? 0) >= (tracks[leader]?.config.pilotRuns ?? 0);
  const rounds: (readonly PlannedRun[])[] = [];
  for (let round = 0; round < shownRounds; round += 1) {
    const open = tracks
      .filter((track) => mayBegin(track) && track.runs < mostRuns(track.config))
      .map(({ index }) => index);
    if (open.length === 0) break;
    const turns =
      config.schedule === 'sequential' ? open.slice(0, 1) : roundOrder({ seed: config.seed, round, benchmarks: open });
    rounds.push(
      turns.flatMap((index): readonly PlannedRun[] => {
        const track = tracks[index];
        if (track === undefined) return [];
        const { warmupRuns, pilotRuns } = track.config;
        const number = track.runs - pilotRuns;
        const phase = number < 0 ? 'pilot' : number < warmupRuns ? 'warmup' : 'measure';
        const run = { pilot: track.runs, warmup: number, measure: number - warmupRuns }[phase];
        track.runs += 1;
        const { order, cpus } = planTrial(track.config, { benchmark: index, run, phase });
        return [{ entry: index + 1, run, phase, order, cpus: { A: cpus.A[0] ?? 0, B: cpus.B[0] ?? 0 } }];
      }),
    );
  }
  return rounds;
}

function mostRuns({
  stop,
  warmupRuns,
  pilotRuns,
}: Pick<ExperimentConfig, 'stop' | 'warmupRuns' | 'pilotRuns'>): number {
  return pilotRuns + warmupRuns + stopRuleOf(stop).mostRuns;
}

type Rule = Pick<Settings, 'stop' | 'stable' | 'maxTimeNs' | 'leastRuns' | 'warmupRuns' | 'pilotRuns'> & {
  /** Runs that are made at the same time. */
  readonly lanes: number;
};

/** Expected duration of an entry whose runs take as long as earlier ones; unknown without earlier runs. */
export function expectTime(rule: Rule, earlier: EarlierRuns | null): ExpectedTime {
  if (earlier === null) return { runNs: null, recording: null, leastNs: null, mostNs: null };
  const { recording, runNs } = earlier;
  const { stop, stable, maxTimeNs, leastRuns, warmupRuns, pilotRuns, lanes } = rule;
  // They end when they have taken long enough.
  const pilotsNs = Math.min(pilotRuns, Math.ceil(longPilotNs / runNs)) * runNs;
  const timeOf = (runs: number): number => pilotsNs + ((runs + warmupRuns) * runNs) / lanes;
  /** No run begins after the limit once there are the fewest; the one in flight is finished. */
  const limitNs = maxTimeNs === null ? Infinity : Math.max(maxTimeNs + runNs, timeOf(leastRuns));
  const [least, most] = stopRuleOf(stop).expectedTimeNs({ timeOf, liftCaps: stable?.liftCaps ?? 1 });
  const mostNs = Math.min(most, limitNs);
  return { runNs, recording, leastNs: Math.min(least, limitNs), mostNs: mostNs === Infinity ? null : mostNs };
}

/** The sum over all entries, and no more than the experiment's own limit; `null` as soon as one is unknown. */
export function totalTime(
  expected: readonly ExpectedTime[],
  experimentTimeoutNs: number | null,
): Pick<ExpectedTime, 'leastNs' | 'mostNs'> {
  const sum = (key: 'leastNs' | 'mostNs'): number | null =>
    expected.reduce<number | null>((total, { [key]: ns }) => (total === null || ns === null ? null : total + ns), 0);
  const cut = (ns: number | null): number | null =>
    ns === null || experimentTimeoutNs === null ? ns : Math.min(ns, experimentTimeoutNs);
  return { leastNs: cut(sum('leastNs')), mostNs: cut(sum('mostNs')) ?? experimentTimeoutNs };
}

/** Mean wall time of the runs of one benchmark and method in an earlier recording. */
interface EarlierRuns {
  readonly recording: string;
  readonly runNs: number;
}

/** Recordings that are looked into, the newest first. */
const mostRecordings = 5;

/** Reads recordings of the experiment `name` below `parent`; unreadable ones are ignored. */
export async function readEarlier(parent: string, name: string): Promise<readonly Recording[]> {
  const recordings: Recording[] = [];
  for (const folder of namesIn(parent).filter((other) => other.includes(name))) {
    if (recordings.length === mostRecordings) break;
    const recording = await readRecording(join(parent, folder)).catch(() => null);
    if (recording?.experiment.config.name === name) recordings.push(recording);
  }
  return recordings;
}

/**
 * Runs of the newest recording that has some; `null` when none has any. Pilot runs are ignored.
 *
 * @param method `null` = what pilot runs chose there
 */
export function findEarlierRuns(
  recordings: readonly Recording[],
  { name, params, method }: Pick<Benchmark, 'name' | 'params'> & { readonly method: Method | null },
): EarlierRuns | null {
  for (const { directory, experiment, trials } of recordings) {
    const same = experiment.config.benchmarks.map(
      (other) => other.name === name && JSON.stringify(other.params) === JSON.stringify(params),
    );
    const walls = trials
      .filter(({ benchmark, status, phase }) => same[benchmark] === true && status === 'ok' && phase !== 'pilot')
      .filter((trial) => method === null || trial.method === method)
      .map(({ wallNs }) => wallNs);
    if (walls.length > 0) {
      return { recording: directory, runNs: walls.reduce((sum, wall) => sum + wall, 0) / walls.length };
    }
  }
  return null;
}

/** Newest first: a recording's name begins with its time. */
function namesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent).toSorted().toReversed();
  } catch {
    return [];
  }
}
