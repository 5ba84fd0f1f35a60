import { analyseRecording, type SegmentRequest } from '@deadheat/analysis';
import { configOf, type Experiment, type Rejudgement, type Report, type Warning } from '@deadheat/model';
import { benchmarksDiffer } from './benchmarks-differ.ts';
import { noiseWarnings } from '../host/index.ts';
import { measureRecorded, type MeasuredRecording } from './measure-recorded.ts';
import { onlyPart, runsOfPart } from '../plan/index.ts';
import { today } from './today.ts';
import { warningsOfChosen } from './warnings-of-chosen.ts';
import { toNoisyRuns } from './to-noisy-run.ts';

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
  return judgeMeasured(await measureRecorded(path), { changes, segments });
}

/** What a recording is judged by beside what it holds. */
export interface JudgingOptions {
  readonly changes?: Rejudgement;
  readonly segments?: SegmentRequest | null;
  /** Whether every planned run is in; `null` or absent: as the runs tell it. */
  readonly complete?: boolean | null;
  /** Beside those of the recording. */
  readonly warnings?: readonly Warning[];
}

/** Analyses a recording that was read. */
export function judgeMeasured(
  { directory, experiment, trials, measured, records }: MeasuredRecording,
  { changes = {}, segments = null, complete = null, warnings = [] }: JudgingOptions = {},
): Report {
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
    complete: complete ?? counted.every((runs, index) => runs >= wantedRuns(experiment, index)),
    warnings: [
      ...warnings,
      ...warningsOfChosen(experiment),
      ...noiseWarnings(toNoisyRuns(trials)),
      ...benchmarksDiffer(trials, { config, records }),
    ],
    segments,
    today: today(),
  });
}

/** Fewest measured runs of a benchmark with which its experiment is complete. */
function wantedRuns({ config, parts, warnings }: Experiment, index: number): number {
  const own = configOf(config, config.benchmarks[index] ?? { own: {} });
  const { stop, leastRuns } = own;
  if (stop.kind !== 'runs') return leastRuns;
  // A part is complete by itself; one that was brought together with others that are missing is not.
  const part = warnings.some(({ code }) => code === 'MISSING_PARTS') ? null : onlyPart(parts);
  return part === null ? stop.runs : runsOfPart(part, { ...own, runs: stop.runs }).count;
}
