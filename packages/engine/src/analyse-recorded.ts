import { analyseRecording } from '@deadheat/analysis';
import type { ExperimentConfig, Recording, Report } from '@deadheat/model';
import { noiseWarnings } from './host/index.ts';
import { toNoisyRun } from './to-noisy-run.ts';
import { latestRecording, readRecording, RecordError } from './record/index.ts';

/** What may be judged anew: everything else was fixed when the experiment ran. */
export type Rejudgement = Partial<Pick<ExperimentConfig, 'confidence' | 'margin' | 'metric' | 'interval'>>;

/**
 * Analyses a recording again, with other judging options where given. A folder of recordings stands for its newest.
 *
 * @throws RecordError as `readRecording`
 */
export async function analyseRecorded(path: string, changes: Rejudgement = {}): Promise<Report> {
  const { directory, experiment, trials } = await findRecording(path);
  const config = { ...experiment.config, ...changes };
  const measured = config.benchmarks.map(
    (_, index) =>
      trials.filter(({ benchmark, phase, status }) => benchmark === index && phase === 'measure' && status === 'ok')
        .length,
  );
  const wanted = config.stop.kind === 'runs' ? config.stop.runs : config.leastRuns;
  return analyseRecording({
    recording: { experiment: { ...experiment, config }, trials },
    directory,
    complete: measured.every((runs) => runs >= wanted),
    warnings: noiseWarnings(trials.map(toNoisyRun)),
  });
}

async function findRecording(path: string): Promise<Recording> {
  try {
    return await readRecording(path);
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'NOT_A_RECORDING') throw error;
    const latest = await latestRecording(path);
    if (latest === null) throw error;
    return readRecording(latest);
  }
}
