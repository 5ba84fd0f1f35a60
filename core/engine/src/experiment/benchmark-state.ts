import {
  lanesOf,
  configOf,
  stopRuleOf,
  type Benchmark,
  type ExperimentConfig,
  type Parts,
  type RunPhase,
  type Trial,
} from '@deadheat/model';
import { onlyPart, runsOfPart, shareOf, type Part } from '../plan/part-of-runs.ts';
import { pilotLeaders } from '../plan/choose-method.ts';
import type { StopDecision } from '../plan/stop.ts';

/** Pilot runs of this time, ns, are enough, however few they are. */
export const longPilotNs = 2e9;

/** Which run of an experiment. */
export interface RunPlace {
  readonly benchmark: number;
  readonly phase: RunPhase;
  readonly run: number;
  /** Present where the sides are to run under valgrind, to count their work. */
  readonly counting?: true | undefined;
}

/** One entry of `config.benchmarks` while the experiment runs. */
export interface BenchmarkState {
  readonly index: number;
  benchmark: Benchmark;
  /** The experiment's configuration as it counts for this benchmark. */
  config: ExperimentConfig;
  /** First entry of the same benchmark and parameters: they are set up together, and measure the same work. */
  readonly group: number;
  /** Number of its first run. */
  readonly firstRun: number;
  /** Its pilot runs that count. */
  readonly pilotTrials: Trial[];
  /** Its counting runs. */
  readonly countingTrials: Trial[];
  /** Its newest run that counts. */
  last: Trial | undefined;
  /** Index of the entry whose pilot runs choose the method. */
  readonly leader: number;
  /** Measured runs. */
  runs: number;
  warmups: number;
  pilots: number;
  /** Number of pilot runs unless they take too long. */
  wantedPilots: number;
  /** Numbers of the measured runs; a journal may lack some before its last one. */
  readonly finishedRuns: RunNumbers;
  /** Time spent on it, ns; of runs that are executed several at a time each counts with its share of that time. */
  elapsedNs: number;
  decision: StopDecision;
}

/** The state of each benchmark of an experiment or of a part of it, with its earlier runs. */
export function createBenchmarkStates(
  config: ExperimentConfig,
  recorded: readonly Trial[],
  parts: Parts | undefined,
): readonly BenchmarkState[] {
  const { benchmarks } = config;
  const part = onlyPart(parts);
  const { machine = null, holds = (): boolean => true } = part === null ? {} : shareOf(part, config);
  const leaders = pilotLeaders(config);
  return benchmarks.map((benchmark, index) => {
    const { firstRun, config: own } = rangeOf(configOf(config, benchmark), holds(index) ? machine : 'elsewhere');
    const trials = recorded.filter((trial) => trial.benchmark === index && trial.status === 'ok');
    const leading = leaders[index] ?? index;
    const leader = holds(leading) ? leading : index;
    return {
      index,
      benchmark,
      config: own,
      firstRun,
      group: benchmarks.findIndex((other) => isSameWork(other, benchmark)),
      // One that was chosen for elsewhere chooses nothing here.
      leader: benchmarks[leader]?.chosen == null ? leader : index,
      pilotTrials: trials.filter(isPilot),
      countingTrials: trials.filter(({ counting }) => counting === true),
      last: trials.findLast(({ counting }) => counting !== true),
      runs: trials.filter(({ phase }) => phase === 'measure').length,
      warmups: trials.filter(({ phase }) => phase === 'warmup').length,
      pilots: trials.filter(isPilot).length,
      wantedPilots: own.pilotRuns,
      finishedRuns: new RunNumbers(
        firstRun,
        trials.filter(({ phase }) => phase === 'measure').map(({ run }) => run),
      ),
      elapsedNs: trials
        .filter(({ counting }) => counting !== true)
        .reduce((sum, trial) => sum + elapsedNsOf(trial, own), 0),
      decision: { kind: 'go-on' },
    };
  });
}

/** True for a pilot run that shows times, not one that counts work. */
function isPilot({ phase, counting }: Trial): boolean {
  return phase === 'pilot' && counting !== true;
}

function isSameWork(a: Benchmark, b: Benchmark): boolean {
  return a.name === b.name && JSON.stringify(a.params) === JSON.stringify(b.params);
}

/** The runs of a benchmark that a machine executes, with the settings as if they were all of it; none of one that another part executes. */
function rangeOf(
  config: ExperimentConfig,
  part: Part | null | 'elsewhere',
): Pick<BenchmarkState, 'firstRun' | 'config'> {
  const { fixedRuns } = stopRuleOf(config.stop);
  if (part === 'elsewhere')
    return { firstRun: 0, config: { ...config, stop: { kind: 'runs', runs: 0 }, pilotRuns: 0 } };
  if (part === null || fixedRuns === null) return { firstRun: 0, config };
  const { first, count } = runsOfPart(part, { ...config, runs: fixedRuns });
  return {
    firstRun: first,
    config: { ...config, stop: { kind: 'runs', runs: count }, leastRuns: Math.min(config.leastRuns, count) },
  };
}

/** Time that a run adds to that of its benchmark, ns. */
export function elapsedNsOf({ method, wallNs }: Trial, { lanes }: Pick<ExperimentConfig, 'lanes'>): number {
  return wallNs / lanesOf(method, lanes);
}

/** True while the method of a benchmark is to be chosen by pilot runs of its own. */
export function needsPilot({ index, leader, benchmark, pilots, wantedPilots }: BenchmarkState): boolean {
  return leader === index && benchmark.chosen === null && pilots < wantedPilots;
}

/** True while the method of a benchmark is to be chosen by pilot runs of another one. */
export function awaitsPilot({ index, leader, config, benchmark }: BenchmarkState): boolean {
  return leader !== index && benchmark.chosen === null && config.pilotRuns > 0;
}

/** A set of run numbers that are mostly taken in ascending order: it needs memory only for those beyond the first gap. */
export class RunNumbers {
  #firstOpen: number;
  readonly #beyond = new Set<number>();

  /** @param first the numbers start here: all that are smaller count as taken */
  constructor(first = 0, taken: Iterable<number> = []) {
    this.#firstOpen = first;
    for (const run of taken) this.add(run);
  }

  /** The smallest number that is not in the set. */
  get firstOpen(): number {
    return this.#firstOpen;
  }

  has(run: number): boolean {
    return run < this.#firstOpen || this.#beyond.has(run);
  }

  add(run: number): void {
    if (this.has(run)) return;
    this.#beyond.add(run);
    while (this.#beyond.delete(this.#firstOpen)) this.#firstOpen++;
  }
}
