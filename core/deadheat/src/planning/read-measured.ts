import { statSync } from 'node:fs';
import { measureRecorded, RecordError } from '@deadheat/recording';
import { DeadheatError } from '@deadheat/model';
import { ImportError, type ImportOptions, type MeasuredFile, readMeasuredFile } from '@deadheat/readers';

/** A recording and what it measured. */
export type MeasuredRecording = Awaited<ReturnType<typeof measureRecorded>>;

const kinds =
  'It takes recordings of deadheat, and every result file, or folder of them, that deadheat analyse reads: JMH, duetbench, DaCapo, ' +
  'Renaissance, published steady-state series, tables of times, Parquet and others (docs/formats/imports.md).';

/**
 * Reads a recording, or else the result files of another tool.
 *
 * @throws RecordError, AnalysisError and ImportError for what cannot be read; DeadheatError `NOT_A_RECORDING` for a folder of another kind
 */
export async function readRecordingOrFiles(
  path: string,
  reading: ImportOptions,
): Promise<MeasuredRecording | MeasuredFile> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return readMeasuredFile(path, reading);
  try {
    return await measureRecorded(path);
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'NOT_A_RECORDING' || stats === undefined) throw error;
    return readMeasuredFile(path, reading).catch((failure: unknown) => {
      if (!(failure instanceof ImportError) || failure.code !== 'NOTHING_TO_IMPORT') throw failure;
      throw new DeadheatError('NOT_A_RECORDING', `${path} is no recording, and holds no result file`, {
        cause: failure,
        hint: kinds,
      });
    });
  }
}
