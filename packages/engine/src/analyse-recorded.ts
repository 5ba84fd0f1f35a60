import { analyseRecording, type SegmentRequest } from '@deadheat/analysis';
import { configOf, type ExperimentConfig, type Report } from '@deadheat/model';
import { benchmarksDiffer } from './benchmarks-differ.ts';
import { noiseWarnings } from './host/index.ts';
import { measureRecorded } from './measure-recorded.ts';
import { today } from './today.ts';
import { toNoisyRun } from './to-noisy-run.ts';

/** What may be judged anew: everything else was fixed when the experiment ran. */
export type Rejudgement = Partial<
  Pick<ExperimentConfig, 'confidence' | 'margin' | 'metric' | 'interval' | 'correction'>
>;

/**
 * Analyses a recording again, with other judging options where given. A folder of recordings stands for its newest.
 * `segments` asks for segments of steady performance, too.
 *
 * @throws RecordError as `readRecording`
 */
export async function analyseRecorded(
  path: string,
  changes: Rejudgement = {},
  { segments = null }: { readonly segments?: SegmentRequest | null } = {},
): Promise<Report> {
  const { directory, experiment, trials, measured, records } = await measureRecorded(path);
  const config = { ...experiment.config, ...changes };
  const counted = config.benchmarks.map(
    (_, index) =>
      trials.filter(({ benchmark, phase, status }) => benchmark === index && phase === 'measure' && status === 'ok')
        .length,
  );
  return analyseRecording({
    experiment: { ...experiment, config },
    measured,
    directory,
    complete: counted.every((runs, index) => runs >= wantedRuns(config, index)),
    warnings: [...noiseWarnings(trials.map(toNoisyRun)), ...benchmarksDiffer(trials, { config, records })],
    segments,
    today: today(),
  });
}

/** Fewest measured runs of a benchmark with which its experiment is complete. */
function wantedRuns(config: ExperimentConfig, index: number): number {
  const { stop, leastRuns } = configOf(config, config.benchmarks[index] ?? { own: {} });
  return stop.kind === 'runs' ? stop.runs : leastRuns;
}
