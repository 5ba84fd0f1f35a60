import { configOf, type Benchmark, type ExperimentConfig, type Trial } from '@deadheat/model';
import type { StopDecision } from './plan/index.ts';

/** One entry of `config.benchmarks` while the experiment runs. */
export interface Track {
  readonly index: number;
  readonly benchmark: Benchmark;
  /** The experiment's configuration as it counts for this benchmark. */
  readonly config: ExperimentConfig;
  /** First entry of the same benchmark and parameters: they are set up together, and measure the same work. */
  readonly group: number;
  readonly trials: Trial[];
  runs: number;
  warmups: number;
  /** Numbers of measured runs that a journal lacks before its last one; they are run first. */
  readonly gaps: number[];
  elapsedNs: number;
  decision: StopDecision;
}

/** The tracks of an experiment, with what was recorded before. */
export function createTracks(config: ExperimentConfig, recorded: readonly Trial[]): readonly Track[] {
  const { benchmarks } = config;
  return benchmarks.map((benchmark, index) => {
    const trials = recorded.filter((trial) => trial.benchmark === index && trial.status === 'ok');
    return {
      index,
      benchmark,
      config: configOf(config, benchmark),
      group: benchmarks.findIndex((other) => isSameWork(other, benchmark)),
      trials,
      runs: trials.filter(({ phase }) => phase === 'measure').length,
      warmups: trials.filter(({ phase }) => phase === 'warmup').length,
      gaps: missingRuns(trials),
      elapsedNs: trials.reduce((sum, { wallNs }) => sum + wallNs, 0),
      decision: { kind: 'go-on' },
    };
  });
}

function isSameWork(a: Benchmark, b: Benchmark): boolean {
  return a.name === b.name && JSON.stringify(a.params) === JSON.stringify(b.params);
}

/** Numbers up to the last measured run that none has: a line of the journal was removed because it was damaged. */
function missingRuns(trials: readonly Trial[]): number[] {
  const runs = new Set(trials.filter(({ phase }) => phase === 'measure').map(({ run }) => run));
  const count = [...runs].reduce((most, run) => Math.max(most, run + 1), 0);
  return Array.from({ length: count }, (_, run) => run).filter((run) => !runs.has(run));
}
