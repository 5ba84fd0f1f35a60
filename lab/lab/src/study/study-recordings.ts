import { type StudyBenchmark, type StudyFacet } from '@deadheat/analysis';
import type { ImportOptions } from '@deadheat/readers';
import { accuracyStudy } from './accuracy-study.ts';
import { asymmetryStudy } from './asymmetry-study.ts';
import { facetOf, studyByFacets, usualFacets } from './study-by-facets.ts';
import { mdsStudy } from './mds-study.ts';
import { overlapStudy } from './overlap-study.ts';
import { ratioStudy } from './ratio-study.ts';
import { type Study, type StudyKind } from './study.ts';
import { readMeasured } from './read-measured.ts';

/** A study and what it was made of. */
export interface StudyOfRecordings {
  readonly study: Study;
  /** Identifiers of the recordings; files by their paths. */
  readonly recordings: readonly string[];
}

/** What a study of recordings is made of, and how. */
export interface StudyPlan {
  /** Recordings, result files of other tools, folders of either. */
  readonly paths: readonly string[];
  /** How files are read that do not say it themselves; absent = by their content. */
  readonly reading?: ImportOptions;
  /** All resampling is drawn from it; `null` = that of the first recording. */
  readonly seed: string | null;
  /** Of `mds`: wanted share of experiments that call B slower. */
  readonly power: number;
  /** Of `accuracy`: runs that are drawn at random of each method; absent = as many as the method with the fewest has. */
  readonly sampleRuns?: number;
  /** By what it is divided; `null` = machines where there are several, and neighbours where any is told. */
  readonly by: readonly StudyFacet[] | null;
}

/**
 * Makes a study of recordings, by each of the circumstances that they were measured under.
 *
 * @throws what `readMeasured` throws
 */
export async function studyRecordings(
  kind: StudyKind,
  { paths, reading, seed, power, sampleRuns, by }: StudyPlan,
): Promise<StudyOfRecordings> {
  const { sources, notes } = await readMeasured(paths, reading);
  const benchmarks = sources.flatMap((source) => source.benchmarks);
  const options = {
    seed: seed ?? sources.find((one) => one.seed !== null)?.seed ?? '',
    power,
    ...(sampleRuns === undefined ? {} : { sampleRuns }),
  };
  const facets = by ?? usualFacets(benchmarks);
  const study = studyByFacets(benchmarks, { facets, make: (part) => makeStudy(kind, part, options) });
  return {
    study: withNotes(study, [...notes, ...pooledMachines(benchmarks, facets)]),
    recordings: sources.map(({ id }) => id),
  };
}

/** Says which machines are put together because the user divided by something else, or because nobody knows them. */
function pooledMachines(benchmarks: readonly StudyBenchmark[], facets: readonly StudyFacet[]): readonly string[] {
  const machines = [...new Set(benchmarks.map((one) => facetOf(one, 'machine')))];
  const unknown = new Set(benchmarks.filter((one) => facetOf(one, 'machine') === null).map(({ config }) => config));
  return [
    ...(machines.length > 1 && !facets.includes('machine')
      ? [
          `machines are put together, as asked for: ${machines.map((one) => one ?? 'unknown').join(', ')}; add machine to --by`,
        ]
      : []),
    ...(unknown.size > 1
      ? ['files that do not tell their machine count as measured on one; name those of one machine alone']
      : []),
  ];
}

/** A study with further notes below its first table. */
export function withNotes(study: Study, notes: readonly string[]): Study {
  const [first, ...rest] = study.tables;
  if (notes.length === 0 || first === undefined) return study;
  return { ...study, tables: [{ ...first, notes: [...notes, ...first.notes] }, ...rest] };
}

function makeStudy(
  kind: StudyKind,
  benchmarks: readonly StudyBenchmark[],
  options: { readonly seed: string; readonly power: number; readonly sampleRuns?: number },
): Study {
  switch (kind) {
    case 'accuracy':
      return accuracyStudy(benchmarks, options);
    case 'overlap':
      return overlapStudy(benchmarks, options);
    case 'mds':
      return mdsStudy(benchmarks, options);
    case 'asymmetry':
      return asymmetryStudy(benchmarks, options);
    case 'ratio':
      return ratioStudy(benchmarks, options);
  }
}
