import { existsSync } from 'node:fs';
import { readFile, stat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Recording,
  experimentSchema,
  type Experiment,
  type Explanation,
  explanationSchema,
  reportSchema,
  type Report,
  recordingFiles,
} from '@deadheat/model';
import { readJournal } from './journal.ts';
import { malformed, type MalformedText } from './malformed-json.ts';
import { refuseSpecial } from './own-files.ts';
import { isSealBroken } from './record-seal.ts';
import { readFailure, RecordError, isSystemError } from './record-error.ts';

/**
 * Reads a recording and checks all of it. A last line of the journal that a crash tore is left out.
 *
 * @param options.packed trials as `PackedTrials` has them; `false` when absent.
 * @throws RecordError `NOT_FOUND`, `NOT_A_RECORDING`, `NEWER_VERSION`, `MALFORMED` (with file, line and column),
 *   `JOURNAL_DAMAGED` (with file and line), `NOT_READABLE` or `IO`.
 */
export async function readRecording(
  directory: string,
  options: { readonly packed?: boolean } = {},
): Promise<Recording> {
  const experiment = await readExperiment(directory);
  const { trials, state } = await readJournal(directory, options);
  return { directory, experiment, trials, ...(state.warnings.length === 0 ? {} : { warnings: state.warnings }) };
}

/** A document of a recording: its file, the schema that it names, and what to do where it is damaged. */
interface RecordedDocument<Content> {
  readonly name: string;
  readonly schemaName: string;
  readonly schema: {
    safeParse(value: unknown):
      | { readonly success: true; readonly data: Content }
      | {
          readonly success: false;
          readonly error: { readonly issues: readonly NonNullable<MalformedText['issue']>[] };
        };
  };
  readonly advice: string;
}

/** Newest version of every document. */
const supported = 1;

const experimentDocument: RecordedDocument<Experiment> = {
  name: recordingFiles.experiment,
  schemaName: 'deadheat.experiment',
  schema: experimentSchema,
  advice: 'Restore the file from a copy; it was complete when the experiment began.',
};

const reportDocument: RecordedDocument<Report> = {
  name: recordingFiles.report,
  schemaName: 'deadheat.report',
  schema: reportSchema,
  advice: 'deadheat analyse makes the report again.',
};

const explanationDocument: RecordedDocument<Explanation & { readonly check?: string }> = {
  name: recordingFiles.explanation,
  schemaName: 'deadheat.explain',
  schema: explanationSchema,
  advice: 'deadheat explain makes it again.',
};

/**
 * Reads and checks `experiment.json` of a recording.
 *
 * @throws RecordError `NOT_FOUND`, `NOT_A_RECORDING`, `NEWER_VERSION`, `MALFORMED`, `NOT_READABLE` or `IO`.
 */
export async function readExperiment(directory: string): Promise<Experiment> {
  return readDocument(directory, experimentDocument);
}

/**
 * Reads and checks `report.json` of a recording, whatever was recorded after it.
 *
 * @throws RecordError like {@link readExperiment}
 */
export async function readStoredReport(directory: string): Promise<Report> {
  return readDocument(directory, reportDocument);
}

/**
 * The functions behind a difference that a recording keeps; `null` = it was not explained.
 *
 * @throws RecordError like {@link readExperiment}
 */
export async function readExplanation(directory: string): Promise<Explanation | null> {
  return existsSync(join(directory, recordingFiles.explanation)) ? readDocument(directory, explanationDocument) : null;
}

async function readDocument<Content extends { readonly check?: string | undefined }>(
  directory: string,
  { name, schemaName, schema, advice }: RecordedDocument<Content>,
): Promise<Content> {
  const file = join(directory, name);
  const text = await readText(directory, file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw malformed({ file, firstLine: 1, text, advice, cause });
  }
  const version = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : undefined;
  if (supportedMajor(version, { path: file, name: schemaName, supported }) === null) {
    throw notARecording(directory, `${file} does not say "schema": "${schemaName}/${supported}"`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) {
    if (isSealBroken(text, value as { readonly check?: unknown })) {
      throw new RecordError(
        'MALFORMED',
        `${file} was changed after it was written: its checksum does not fit. ${advice}`,
        {
          path: file,
        },
      );
    }
    const { check: _, ...content } = parsed.data;
    return content as Content;
  }
  const [issue] = parsed.error.issues;
  throw malformed({ file, firstLine: 1, text, advice, cause: parsed.error, ...(issue === undefined ? {} : { issue }) });
}

async function readText(directory: string, file: string): Promise<string> {
  refuseSpecial(file);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOTDIR')) throw notARecording(directory, 'it is a file, not a folder', error);
    if (!isSystemError(error, 'ENOENT')) throw readFailure(error, file);
    throw await missingExperiment(directory, error);
  }
}

async function missingExperiment(directory: string, cause: unknown): Promise<unknown> {
  const isThere = await stat(directory).then(
    () => true,
    () => false,
  );
  return isThere
    ? notARecording(directory, `it holds no ${recordingFiles.experiment}`, cause)
    : readFailure(cause, directory);
}

function notARecording(directory: string, reason: string, cause?: unknown): RecordError {
  return new RecordError(
    'NOT_A_RECORDING',
    `${directory} is not a recording: ${reason}. Give the folder of a recording, such as .deadheat/<time>-<name>.`,
    { path: directory, ...(cause === undefined ? {} : { cause }) },
  );
}

interface Candidate {
  readonly path: string;
  readonly stamp: string;
  readonly writtenMs: number;
}

/**
 * Folder of the newest recording in `parent`, by the time in the folder's name, else by the time at which its
 * `experiment.json` was written, which also orders recordings of the same second; `null` when there is none.
 *
 * @throws RecordError `NOT_A_RECORDING` for a file; `NOT_READABLE` or `IO` when `parent` exists and cannot be read.
 */
export async function latestRecording(parent: string): Promise<string | null> {
  const candidates = await Promise.all((await listNames(parent)).map((name) => inspect(parent, name)));
  const [newest] = candidates
    .filter((candidate) => candidate !== null)
    .toSorted((a, b) => (a.stamp === b.stamp ? b.writtenMs - a.writtenMs : a.stamp < b.stamp ? 1 : -1));
  return newest?.path ?? null;
}

async function listNames(parent: string): Promise<readonly string[]> {
  try {
    return await readdir(parent);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    if (isSystemError(error, 'ENOTDIR')) throw notARecording(parent, 'it is a file, not a folder', error);
    throw readFailure(error, parent);
  }
}

async function inspect(parent: string, name: string): Promise<Candidate | null> {
  const path = join(parent, name);
  try {
    const { mtime, mtimeMs } = await stat(join(path, recordingFiles.experiment));
    const [stamp = utcStamp(mtime)] = /^\d{8}T\d{6}Z/.exec(name) ?? [];
    return { path, stamp, writtenMs: mtimeMs };
  } catch {
    return null;
  }
}

/**
 * The report that a finished experiment left; `null` where there is none, where runs were recorded after it, and where it is
 * damaged: it can be made again from the runs.
 *
 * @throws RecordError `NEWER_VERSION`, `NOT_READABLE` or `IO`.
 */
export async function readReport(directory: string): Promise<Report | null> {
  const file = join(directory, recordingFiles.report);
  try {
    const [written, recorded] = await Promise.all([stat(file), stat(join(directory, recordingFiles.trials))]);
    return written.mtimeMs < recorded.mtimeMs ? null : await readStoredReport(directory);
  } catch (error) {
    const isDamaged = error instanceof RecordError && ['MALFORMED', 'NOT_A_RECORDING'].includes(error.code);
    if (isDamaged || isSystemError(error, 'ENOENT')) return null;
    throw readFailure(error, file);
  }
}

/**
 * Major version in a schema name such as `deadheat.experiment/1`; `null` when the value is no schema of that name.
 *
 * @throws RecordError `NEWER_VERSION` when it is above the newest that this version of the tool reads.
 */
export function supportedMajor(
  schema: unknown,
  { path, name, supported }: { readonly path: string; readonly name: string; readonly supported: number },
): number | null {
  if (typeof schema !== 'string' || !schema.startsWith(`${name}/`)) return null;
  const [version] = /^\d+/.exec(schema.slice(name.length + 1)) ?? [];
  if (version === undefined) return null;
  const found = Number(version);
  if (found > supported) {
    throw new RecordError(
      'NEWER_VERSION',
      `${path} has version ${found} of ${name}; this deadheat reads up to version ${supported}. Update deadheat to ` +
        `read it.`,
      { path, versions: { found, supported } },
    );
  }
  return found;
}

/** UTC time to the second as it stands in folder names: `20261121T093015Z`; sorts as text. */
export function utcStamp(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}
