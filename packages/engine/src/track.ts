import { configOf, type Benchmark, type ExperimentConfig, type Parts, type Trial } from '@deadheat/model';
import { onlyPart, runsOfPart, type Part, type StopDecision } from './plan/index.ts';

/** One entry of `config.benchmarks` while the experiment runs. */
export interface Track {
  readonly index: number;
  readonly benchmark: Benchmark;
  /** The experiment's configuration as it counts for this benchmark. */
  readonly config: ExperimentConfig;
  /** First entry of the same benchmark and parameters: they are set up together, and measure the same work. */
  readonly group: number;
  /** Number of its first run. */
  readonly firstRun: number;
  readonly trials: Trial[];
  runs: number;
  warmups: number;
  /** Numbers of measured runs that a journal lacks before its last one; they are run first. */
  readonly gaps: number[];
  elapsedNs: number;
  decision: StopDecision;
}

/** The tracks of an experiment or of a part of it, with what was recorded before. */
export function createTracks(
  config: ExperimentConfig,
  recorded: readonly Trial[],
  parts: Parts | undefined,
): readonly Track[] {
  const { benchmarks } = config;
  const part = onlyPart(parts);
  return benchmarks.map((benchmark, index) => {
    const { firstRun, config: own } = rangeOf(configOf(config, benchmark), part);
    const trials = recorded.filter((trial) => trial.benchmark === index && trial.status === 'ok');
    return {
      index,
      benchmark,
      config: own,
      firstRun,
      group: benchmarks.findIndex((other) => isSameWork(other, benchmark)),
      trials,
      runs: trials.filter(({ phase }) => phase === 'measure').length,
      warmups: trials.filter(({ phase }) => phase === 'warmup').length,
      gaps: missingRuns(trials, firstRun),
      elapsedNs: trials.reduce((sum, { wallNs }) => sum + wallNs, 0),
      decision: { kind: 'go-on' },
    };
  });
}

function isSameWork(a: Benchmark, b: Benchmark): boolean {
  return a.name === b.name && JSON.stringify(a.params) === JSON.stringify(b.params);
}

/** What a part makes of a benchmark, as if that were all of it. */
function rangeOf(config: ExperimentConfig, part: Part | null): Pick<Track, 'firstRun' | 'config'> {
  const { stop, swap, leastRuns } = config;
  if (part === null || stop.kind !== 'runs') return { firstRun: 0, config };
  const { first, count } = runsOfPart(part, { runs: stop.runs, swap });
  return {
    firstRun: first,
    config: { ...config, stop: { ...stop, runs: count }, leastRuns: Math.min(leastRuns, count) },
  };
}

/** Numbers up to the last measured run that none has: a line of the journal was removed because it was damaged. */
function missingRuns(trials: readonly Trial[], firstRun: number): number[] {
  const runs = new Set(trials.filter(({ phase }) => phase === 'measure').map(({ run }) => run));
  const count = [...runs].reduce((most, run) => Math.max(most, run - firstRun + 1), 0);
  return Array.from({ length: count }, (_, index) => firstRun + index).filter((run) => !runs.has(run));
}
