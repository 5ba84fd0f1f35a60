import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { reportSchema, type Report } from '@deadheat/model';
import { readFailure } from './read-failure.ts';
import { recordingFiles } from './recording-files.ts';
import { supportedMajor } from './schema-version.ts';
import { isSystemError } from './system-error.ts';

/**
 * The report that a finished experiment left; `null` where there is none, where runs were recorded after it, and where it is
 * damaged: it can be made again from the runs.
 *
 * @throws RecordError `NEWER_VERSION`, `NOT_READABLE` or `IO`.
 */
export const readReport = async (directory: string): Promise<Report | null> => {
  const file = join(directory, recordingFiles.report);
  let value: unknown;
  try {
    const [written, recorded] = await Promise.all([stat(file), stat(join(directory, recordingFiles.trials))]);
    if (written.mtimeMs < recorded.mtimeMs) return null;
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error, 'ENOENT')) return null;
    throw readFailure(error, file);
  }
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  supportedMajor(schema, { path: file, name: 'deadheat.report', supported: 1 });
  const parsed = reportSchema.safeParse(value);
  return parsed.success ? parsed.data : null;
};
