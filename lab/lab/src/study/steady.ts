import { type StudyFacet } from '@deadheat/analysis';
import type { ImportOptions } from '@deadheat/readers';
import { mapInWorkers } from 'deadheat/internals';
import type { ClassifiedSeries, SteadySeries } from './steady-series.ts';
import { steadySeries, steadyStudy, type SteadyStudyOptions } from './steady-study.ts';
import { studyByFacets, usualFacets } from './study-by-facets.ts';
import { readMeasured } from './read-measured.ts';
import type { ClassifyRequest } from './steady-worker.ts';
import { type StudyOfRecordings, withNotes } from './study-recordings.ts';

/** Which runs are classified, and how. */
export interface SteadyStudyPlan extends Pick<SteadyStudyOptions, 'window' | 'penalty' | 'metrics'> {
  /** Recordings, result files of other tools, folders of either; one side is enough. */
  readonly paths: readonly string[];
  /** How files are read that do not say it themselves; absent = by their content. */
  readonly reading?: ImportOptions;
  /** `null` = that of the first recording. */
  readonly seed: string | null;
  /** By what the table is divided; `null` = machines where there are several, and neighbours where any is told. */
  readonly by: readonly StudyFacet[] | null;
}

/**
 * Classifies the runs of recordings by whether they reach a steady state, on as many threads as there are processors.
 *
 * @throws what `readMeasured` throws
 */
export async function studySteady({
  paths,
  reading,
  seed: asked,
  by,
  ...rules
}: SteadyStudyPlan): Promise<StudyOfRecordings> {
  const { sources, notes } = await readMeasured(paths, reading);
  const options = { ...rules, seed: asked ?? sources.find((one) => one.seed !== null)?.seed ?? 'steady' };
  const benchmarks = sources.flatMap((source) => source.benchmarks);
  const facets = by ?? usualFacets(benchmarks);
  // The parts are found first, so that all their series are classified at once.
  const parts: ReturnType<typeof steadySeries>[] = [];
  studyByFacets(benchmarks, {
    facets,
    make: (own) => {
      parts.push(steadySeries(own, rules));
      return { kind: 'steady', tables: [] };
    },
  });
  const classified = await mapInWorkers<ClassifyRequest, ClassifiedSeries>({
    module: new URL('./steady-worker.js', import.meta.url),
    requests: parts.flatMap(({ series }) => series.map((one) => ({ series: withoutMetrics(one), options }))),
  });
  let place = 0;
  let from = 0;
  const study = studyByFacets(benchmarks, {
    facets,
    make: () => {
      const { series = [], tooShort = [] } = parts[place++] ?? {};
      const own = classified.slice(from, (from += series.length));
      return steadyStudy(own, { ...rules, tooShort, measured: series });
    },
  });
  return { study: withNotes(study, notes), recordings: sources.map(({ id }) => id) };
}

/** Classes are of times alone, and a request is copied into its worker. */
function withoutMetrics({ label, runs }: SteadySeries): SteadySeries {
  return { label, runs: runs.map((run) => ({ ...run, metrics: {} })) };
}
