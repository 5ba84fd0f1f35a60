import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SegmentRequest } from '@deadheat/analysis';
import { analyseRecorded } from '@deadheat/engine';
import { RecordError, tool, findRecording, openRecording, TrialRecords } from '@deadheat/recording';
import {
  type Rejudgement,
  type Report,
  type Side,
  type TimeUnit,
  type Experiment,
  type Recording,
  recordingFiles,
} from '@deadheat/model';
import { analyseImported, ImportError, type ColumnMap } from '@deadheat/readers';
import { UsageError } from '../errors/usage-error.ts';
import type { Margin } from '../settings/amounts.ts';
import { marginSettings } from '../settings/kinds.ts';
import { toDeadheatError } from './running.ts';

/** Options of reading result files of other tools, where the files do not hold them. */
export interface ReadingOptions {
  /** Format of the files, or of A's and of B's (docs/formats/imports.md); absent = known by the content. */
  readonly format?: string | Readonly<Record<Side, string | null>> | undefined;
  /** For tables of times: which column is what. */
  readonly columns?: ColumnMap | undefined;
  /** Unit of the times of `columns` (default: ns). */
  readonly unit?: TimeUnit | undefined;
}

/** Settings of judging that replace the recorded ones; fractions, not percent. */
export interface AnalyseOptions extends Omit<Rejudgement, 'margin' | 'marginNs'>, ReadingOptions {
  /** A share, or a time: `{ ns: 500_000 }`. */
  readonly margin?: Margin | undefined;
  /** Also looks for segments of steady performance. */
  readonly segments?: SegmentRequest | null | undefined;
}

/**
 * Judges a recording again, or result files of other tools; a folder of recordings stands for its newest.
 *
 * @param paths a recording, a file or a folder of results that holds both sides, or A's and B's
 * @throws DeadheatError, by the promise, for what cannot be read or carries no result
 */
export async function analyse(
  paths: string | readonly [string] | readonly [string, string],
  { format, columns, unit, segments = null, margin, ...others }: AnalyseOptions = {},
): Promise<Report> {
  const changes: Rejudgement = { ...others, ...(margin === undefined ? {} : marginSettings(margin)) };
  const [path, second] = typeof paths === 'string' ? [paths] : paths;
  const formats = typeof format === 'object' ? format : { A: format ?? null, B: format ?? null };
  const readFiles = async (): Promise<Report> => {
    const how = { columns: columns ?? null, unit: unit ?? 'ns' } as const;
    return analyseImported({
      paths: second === undefined ? [path] : [path, second],
      reading: { A: { format: formats.A, ...how }, B: { format: formats.B, ...how } },
      changes,
      segments,
      tool,
    });
  };
  try {
    const isReading = format !== undefined || columns !== undefined || unit !== undefined;
    if (second !== undefined || isReading) {
      for (const one of second === undefined ? [path] : [path, second]) refuseRecording(one);
      return await readFiles();
    }
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return await readFiles();
    return await judgeFolder(path, { changes, segments, readFiles });
  } catch (error) {
    throw toDeadheatError(error);
  }
}

/** A folder alone is a recording, or where it is none a folder of result files. */
async function judgeFolder(
  path: string,
  {
    changes,
    segments,
    readFiles,
  }: {
    readonly changes: Rejudgement;
    readonly segments: SegmentRequest | null;
    readonly readFiles: () => Promise<Report>;
  },
): Promise<Report> {
  try {
    return await analyseRecorded(path, changes, { segments, refuses: true });
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'NOT_A_RECORDING') throw error;
    return readFiles().catch((failure: unknown) => {
      throw failure instanceof ImportError && failure.code === 'NOTHING_TO_IMPORT' ? error : failure;
    });
  }
}

function refuseRecording(path: string): void {
  if (!existsSync(join(path, 'experiment.json'))) return;
  throw new UsageError('CONFLICT', `${path} is a recording, which holds both sides itself`, {
    hint: `Analyse it alone: deadheat analyse ${path}. Two files, and a format, are for results of other tools.`,
  });
}

/**
 * Makes anew what a history needs of a recording beside what was measured, where it is missing: the table of iterations and the
 * report.
 *
 * @param path folder of the recording; a folder of recordings stands for its newest
 * @throws UsageError for a part of an experiment; RecordError as `openRecording`
 */
export async function completeRecording(path: string): Promise<Recording> {
  const found = await findRecording(path);
  refusePart(path, found.experiment);
  await finishRecording(found.directory);
  return found;
}

/** A history holds an experiment once: a part would keep the whole out. */
function refusePart(path: string, { parts }: Experiment): void {
  if (parts === undefined || parts.taken.length === parts.count) return;
  throw new UsageError('CONFLICT', `${path} holds ${parts.taken.length} of ${parts.count} parts of an experiment`, {
    hint: 'Bring all of them together with deadheat ci merge, and push what comes out.',
  });
}

async function finishRecording(directory: string): Promise<void> {
  const isMissing = (name: string): boolean => !existsSync(join(directory, name));
  if (!isMissing(recordingFiles.iterations) && !isMissing(recordingFiles.report)) return;
  const { recording, writer } = await openRecording(directory, { packed: true });
  try {
    const { trials, experiment } = recording;
    if (!trials.some(({ status, phase }) => status === 'ok' && phase === 'measure')) return;
    if (isMissing(recordingFiles.iterations)) {
      const records = await new TrialRecords(directory).read(trials);
      await writer.writeIterations({ trials, experiment, records });
    }
    if (isMissing(recordingFiles.report)) await writer.writeReport(await analyseRecorded(directory));
  } finally {
    writer.close();
  }
}
