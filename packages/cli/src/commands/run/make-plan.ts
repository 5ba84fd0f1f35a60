import { pilotLeaders, planTrial, roundOrder, type FittedExperiment } from '@deadheat/engine';
import {
  configOf,
  settingsSchema,
  sides,
  type Benchmark,
  type ExperimentConfig,
  type Recording,
  type Side,
} from '@deadheat/model';
import { findEarlierRuns } from './earlier-runs.ts';
import { expectTime, totalTime } from './expect-time.ts';
import type { Plan, PlanEntry, PlannedRun, PlannedSide } from './plan.ts';

/** Rounds that a plan shows. */
const shownRounds = 3;

/** What a plan is made of besides the experiment. */
interface PlanFacts {
  /** Recordings of the same experiment, newest first. */
  readonly earlier: readonly Recording[];
  readonly seedIsDrawn: boolean;
}

/** The plan of an experiment on this machine. */
export function makePlan(
  { config, warnings }: Pick<FittedExperiment, 'config' | 'warnings'>,
  { earlier, seedIsDrawn }: PlanFacts,
): Plan {
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
): PlanEntry {
  const { config, benchmark, earlier, leader } = context;
  const whole = configOf(config, benchmark);
  const { method } = whole;
  const isChosen = whole.pilotRuns > 0;
  const time = {
    ...whole,
    pilotRuns: leader === index ? whole.pilotRuns : 0,
    lanes: method === 'tandem' ? config.lanes : 1,
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
  /** Whether the runs are made that choose its method. */
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
  const runs = stop.kind === 'runs' ? stop.runs : (stop.maxRuns ?? Infinity);
  return pilotRuns + warmupRuns + runs;
}
