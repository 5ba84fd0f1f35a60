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
import type { OutputChoices } from '../../arguments/invocation.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { checkExports, writeStudy } from '../../terminal/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { neighbourParameter } from './request.ts';

/** What is made of measurements, and where it goes. */
export interface StudyPlan {
  /** All resampling is drawn from it. */
  readonly seed: string;
  /** Of `mds`: wanted share of experiments that call B slower. */
  readonly power: number;
  readonly choices: OutputChoices;
  readonly terminal: Terminal;
}

/** `deadheat study KIND RECORDING...`. Returns the exit code. */
export async function study(
  kind: StudyKind,
  { paths, ...plan }: Omit<StudyPlan, 'seed'> & { readonly paths: readonly string[] },
): Promise<ExitCode> {
  checkExports(plan.choices.exports);
  const recordings: MeasuredRecording[] = [];
  for (const path of paths) recordings.push(await measureRecorded(path));
  const seed = recordings[0]?.experiment.config.seed ?? '';
  return printStudy(kind, recordings, { ...plan, seed });
}

/**
 * Makes a study of measured benchmarks, by each neighbour that they were measured beside, shows it and writes its exports.
 * Returns the exit code.
 */
export function printStudy(
  kind: StudyKind,
  recordings: readonly Pick<MeasuredRecording, 'experiment' | 'measured'>[],
  { seed, power, choices, terminal }: StudyPlan,
): ExitCode {
  const benchmarks = recordings.flatMap(({ experiment, measured }) =>
    measured.map((one) => ({ ...one, config: configOf(experiment.config, one.benchmark) })),
  );
  const made = studyByParameter(benchmarks, {
    parameter: neighbourParameter,
    make: (part) => make(kind, part, { seed, power }),
  });
  return writeStudy(made, { recordings: recordings.map(({ experiment: { id } }) => id), choices, terminal });
}

function make(
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
