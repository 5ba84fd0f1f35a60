import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trialSchema, type Trial } from '@deadheat/model';
import type { JournalState } from './journal.ts';
import { malformed } from './malformed.ts';
import { readFailure } from './read-failure.ts';
import { recordingFiles } from './recording-files.ts';
import { isSystemError } from './system-error.ts';

const lineFeed = 0x0a;
const advice = 'Restore the file from a copy, or remove that line to go on without its run.';

/** A journal read back, and where it may go on. */
export interface JournalContent {
  readonly trials: readonly Trial[];
  readonly state: JournalState;
}

/**
 * Reads and checks `trials.jsonl`. A last line that was torn by a crash is left out; a missing file is an empty
 * journal (a crash before the first trial).
 *
 * @throws RecordError `MALFORMED`, `NOT_READABLE` or `IO`.
 */
export const readJournal = async (directory: string): Promise<JournalContent> => {
  const file = join(directory, recordingFiles.trials);
  const content = await readContent(file);
  const trials: Trial[] = [];
  let bytes = 0;
  let unterminated = false;
  while (bytes < content.length) {
    const end = content.indexOf(lineFeed, bytes);
    const text = content.toString('utf8', bytes, end === -1 ? content.length : end);
    const line = { file, firstLine: trials.length + 1, text, advice };
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      if (isTorn(text, { terminated: end !== -1, last: end === -1 || end === content.length - 1 })) break;
      throw malformed({ ...line, cause });
    }
    const parsed = trialSchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw malformed({ ...line, cause: parsed.error, ...(issue === undefined ? {} : { issue }) });
    }
    trials.push(parsed.data);
    unterminated = end === -1;
    bytes = end === -1 ? content.length : end + 1;
  }
  return { trials, state: { bytes, lines: trials.length, unterminated } };
};

/**
 * Whether text that is not JSON is what a crash leaves: a last line without its line feed, or one with zero bytes,
 * which is how a block that never reached the device reads after a power failure.
 */
const isTorn = (
  text: string,
  { terminated, last }: { readonly terminated: boolean; readonly last: boolean },
): boolean => !terminated || (last && text.includes('\0'));

const readContent = async (file: string): Promise<Buffer> => {
  try {
    return await readFile(file);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return Buffer.alloc(0);
    throw readFailure(error, file);
  }
};
