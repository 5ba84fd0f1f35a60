import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { experimentSchema, type Experiment } from '@deadheat/model';
import { malformed } from './malformed.ts';
import { readFailure } from './read-failure.ts';
import { RecordError } from './record-error.ts';
import { recordingFiles } from './recording-files.ts';
import { supportedMajor } from './schema-version.ts';
import { isSystemError } from './system-error.ts';

const schemaName = 'deadheat.experiment';
const supported = 1;
const advice = 'Restore the file from a copy; it was complete when the experiment began.';

/**
 * Reads and checks `experiment.json` of a recording.
 *
 * @throws RecordError `NOT_FOUND`, `NOT_A_RECORDING`, `NEWER_VERSION`, `MALFORMED`, `NOT_READABLE` or `IO`.
 */
export const readExperiment = async (directory: string): Promise<Experiment> => {
  const file = join(directory, recordingFiles.experiment);
  const text = await readText(directory, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed({ file, firstLine: 1, text, advice, cause });
  }
  const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (supportedMajor(schema, { path: file, name: schemaName, supported }) === null) {
    throw notARecording(directory, `${file} does not say "schema": "${schemaName}/${supported}"`);
  }
  const parsed = experimentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw malformed({ file, firstLine: 1, text, advice, cause: parsed.error, ...(issue === undefined ? {} : { issue }) });
};

const readText = async (directory: string, file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOTDIR')) throw notARecording(directory, 'it is a file, not a folder', error);
    if (!isSystemError(error, 'ENOENT')) throw readFailure(error, file);
    throw await missingExperiment(directory, error);
  }
};

const missingExperiment = async (directory: string, cause: unknown): Promise<unknown> => {
  const isThere = await stat(directory).then(
    () => true,
    () => false,
  );
  return isThere
    ? notARecording(directory, `it holds no ${recordingFiles.experiment}`, cause)
    : readFailure(cause, directory);
};

const notARecording = (directory: string, reason: string, cause?: unknown): RecordError =>
  new RecordError(
    'NOT_A_RECORDING',
    `${directory} is not a recording: ${reason}. Give the folder of a recording, such as .deadheat/<time>-<name>.`,
    { path: directory, ...(cause === undefined ? {} : { cause }) },
  );
