import {
  accuracyStudy,
  asymmetryStudy,
  mdsStudy,
  overlapStudy,
  type Study,
  type StudyBenchmark,
  studyByParameter,
  type StudyKind,
} from '@deadheat/analysis';
import { type MeasuredRecording, measureRecorded } from '@deadheat/engine';
import { configOf } from '@deadheat/model';
import { neighbourParameter } from './request.ts';

/** A study and what it was made of. */
export interface StudyOfRecordings {
  readonly study: Study;
  /** Identifiers of the recordings; files of series by their paths. */
  readonly recordings: readonly string[];
}

/**
 * Makes a study of recordings, by each neighbour that they were measured beside.
 *
 * @param seed all resampling is drawn from it; `null` = that of the first recording
 * @param power of `mds`: wanted share of experiments that call B slower
 * @throws what `measureRecorded` throws
 */
export async function studyRecordings(
  kind: StudyKind,
  { paths, seed, power }: { readonly paths: readonly string[]; readonly seed: string | null; readonly power: number },
): Promise<StudyOfRecordings> {
  const recordings: MeasuredRecording[] = [];
  for (const path of paths) recordings.push(await measureRecorded(path));
  const benchmarks = recordings.flatMap(({ experiment, measured }) =>
    measured.map((one) => ({ ...one, config: configOf(experiment.config, one.benchmark) })),
  );
  const options = { seed: seed ?? recordings[0]?.experiment.config.seed ?? '', power };
  const study = studyByParameter(benchmarks, {
    parameter: neighbourParameter,
    make: (part) => makeStudy(kind, part, options),
  });
  return { study, recordings: recordings.map(({ experiment: { id } }) => id) };
}

function makeStudy(
  kind: StudyKind,
  benchmarks: readonly StudyBenchmark[],
  options: { readonly seed: string; readonly power: number },
): Study {
  switch (kind) {
    case 'accuracy':
      return accuracyStudy(benchmarks, options);
    case 'overlap':
      return overlapStudy(benchmarks);
    case 'mds':
      return mdsStudy(benchmarks, options);
    case 'asymmetry':
      return asymmetryStudy(benchmarks, options);
  }
}
