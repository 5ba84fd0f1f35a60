import {
  decisionCostNs,
  groupIterations,
  type StoppingOutcome,
  stoppingRules,
  stoppingSeries,
  type StoppingSeries,
  stoppingStudy,
  type StoppingStudyOptions,
} from '@deadheat/analysis';
import { measureRecorded } from '@deadheat/engine';
import { configOf } from '@deadheat/model';
import { readSteadyState, type SteadyStateBenchmark } from '@deadheat/readers';
import { mapInWorkers } from '../../threads/map-in-workers.ts';
import type { ReplayRequest } from './stopping-worker.ts';
import type { StudyOfRecordings } from './study-recordings.ts';

/** How experiments are replayed that stop when they are stable. */
export interface StoppingStudyPlan extends Omit<StoppingStudyOptions, 'seed' | 'replicates'> {
  /** Recordings, files of series, folders of either. */
  readonly paths: readonly string[];
  /** `null` = that of the first recording. */
  readonly seed: string | null;
}

/** Of the replication package: iterations of 100 ms, of which ones of 1 s are made. */
const shortNs = 1e8;
const longNs = 1e9;

interface Measured {
  readonly id: string;
  readonly seed: string | null;
  readonly series: readonly StoppingSeries[];
  readonly tooShort: readonly string[];
}

/**
 * Replays recordings as experiments that stop when they are stable, on as many threads as there are processors.
 *
 * @throws what `readSteadyState` and `measureRecorded` throw
 */
export async function studyStopping({
  paths,
  like,
  liftCaps,
  seed: asked,
}: StoppingStudyPlan): Promise<StudyOfRecordings> {
  const measured: Measured[] = [];
  for (const path of paths) measured.push(await measure(path));
  const seed = asked ?? measured.find((one) => one.seed !== null)?.seed ?? 'stopping';
  const options = { seed, like, liftCaps };
  const outcomes = await mapInWorkers<ReplayRequest, StoppingOutcome>({
    module: new URL('./stopping-worker.js', import.meta.url),
    requests: measured.flatMap((one) => one.series).map((series) => ({ series, options })),
  });
  const now = (): number => performance.now() * 1e6;
  const decisionCostsNs = Object.fromEntries(
    stoppingRules.map(({ name, criteria }) => [name, decisionCostNs(criteria, { now, like })]),
  );
  const tooShort = measured.flatMap((one) => one.tooShort);
  const study = stoppingStudy(outcomes, { like, liftCaps, decisionCostsNs, tooShort });
  return { study, recordings: measured.map(({ id }) => id) };
}

async function measure(path: string): Promise<Measured> {
  const steady = readSteadyState(path);
  if (steady !== null) {
    return { id: path, seed: null, series: steady.map((benchmark) => seriesOf(benchmark)), tooShort: [] };
  }
  const { experiment, measured } = await measureRecorded(path);
  const { id, config } = experiment;
  const benchmarks = measured.map((one) => ({ ...one, config: configOf(config, one.benchmark) }));
  return { id, seed: config.seed, ...stoppingSeries(benchmarks, config.name) };
}

function seriesOf({ name, project, forks }: SteadyStateBenchmark): StoppingSeries {
  const grouped = forks.map((fork) => groupIterations(fork, { shortTime: shortNs, leastTime: longNs }));
  return {
    project,
    label: name.slice(name.indexOf('#') + 1),
    forks: grouped.map(({ iterations }) => iterations),
    timesNs: grouped.map(({ times }) => times),
  };
}
