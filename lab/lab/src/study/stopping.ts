import type { ImportOptions } from '@deadheat/readers';
import { mapInWorkers } from 'deadheat/internals';
import { decisionCostNs, groupIterations } from './replay-reconfiguration.ts';
import { stoppingRules, stoppingSeries, type StoppingSeries, type StoppingStudyOptions } from './stopping-outcome.ts';
import { stoppingStudy } from './stopping-study.ts';
import { type MeasuredSource, type PublishedSeries, readMeasured } from './read-measured.ts';
import type { ReplayAnswer, ReplayRequest } from './stopping-worker.ts';
import { type StudyOfRecordings, withNotes } from './study-recordings.ts';

/** How experiments are replayed that stop when they are stable. */
export interface StoppingStudyPlan extends Omit<StoppingStudyOptions, 'seed' | 'replicates'> {
  /** Recordings, result files of other tools, folders of either. */
  readonly paths: readonly string[];
  /** How files are read that do not say it themselves; absent = by their content. */
  readonly reading?: ImportOptions;
  /** `null` = that of the first recording. */
  readonly seed: string | null;
}

/** Of the replication package: iterations of 100 ms, of which ones of 1 s are made. */
const shortNs = 1e8;
const longNs = 1e9;

/**
 * Replays recordings as experiments that stop when they are stable, on as many threads as there are processors.
 *
 * @throws what `readMeasured` throws
 */
export async function studyStopping({
  paths,
  reading,
  like,
  liftCaps,
  seed: asked,
}: StoppingStudyPlan): Promise<StudyOfRecordings> {
  const { sources, notes } = await readMeasured(paths, { ...reading, histograms: true });
  const measured = sources.map((source) => seriesOf(source));
  const seed = asked ?? sources.find((one) => one.seed !== null)?.seed ?? 'stopping';
  const options = { seed, like, liftCaps };
  const replayed = await mapInWorkers<ReplayRequest, ReplayAnswer>({
    module: new URL('./stopping-worker.js', import.meta.url),
    requests: measured.flatMap((one) => one.series).map((series) => ({ series, options })),
  });
  const now = (): number => performance.now() * 1e6;
  const decisionCostsNs = Object.fromEntries(
    stoppingRules.map(({ name, criteria }) => [name, decisionCostNs(criteria, { now, like })]),
  );
  const tooShort = measured.flatMap((one) => one.tooShort);
  const lengths = replayed.map((one) => one.lengths);
  const study = stoppingStudy(
    replayed.map(({ outcome }) => outcome),
    { like, liftCaps, decisionCostsNs, tooShort, lengths },
  );
  return { study: withNotes(study, notes), recordings: sources.map(({ id }) => id) };
}

function seriesOf({ name, benchmarks, steady }: MeasuredSource): ReturnType<typeof stoppingSeries> {
  if (steady === null) return stoppingSeries(benchmarks, name);
  return { series: steady.map((one) => ofPublished(one)), tooShort: [] };
}

function ofPublished({ name, project, forks }: PublishedSeries): StoppingSeries {
  const grouped = forks.map((fork) => groupIterations(fork, { shortTime: shortNs, leastTime: longNs }));
  return {
    project,
    label: name.slice(name.indexOf('#') + 1),
    forks: grouped.map(({ iterations }) => iterations),
    timesNs: grouped.map(({ times }) => times),
  };
}
