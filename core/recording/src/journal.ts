import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { recordingFiles, type Trial, trialSchema, type Warning } from '@deadheat/model';
import { malformed } from './malformed-json.ts';
import { refuseSpecial } from './own-files.ts';
import { PackedTrials } from './packed-trials.ts';
import { readFailure, isSystemError, RecordError } from './record-error.ts';
import { checksumOf } from './record-seal.ts';

const seal = /,"line":([1-9]\d{0,15}),"check":"([0-9a-f]{8})"\}$/;
/** Characters of the longest seal, and of its checksum with its key. */
const longestSeal = 44;
const checkLength = ',"check":"01234567"}'.length;

/** JSON of a trial as line `line` (from 1) of a journal, without the line feed. */
export function sealLine(json: string, line: number): string {
  const body = `${json.slice(0, -1)},"line":${line}`;
  return `${body},"check":"${checksumOf(body)}"}`;
}

/**
 * Place, from 1, and trial, as JSON, of a line as `sealLine` made it; `null` = it was changed since, or has no checksum.
 *
 * @param text without its line feed
 */
export function unsealLine(text: string): { readonly line: number; readonly json: string } | null {
  const [end, line, check] = seal.exec(text.slice(-longestSeal)) ?? [];
  if (end === undefined || line === undefined) return null;
  const json = text.slice(0, text.length - end.length);
  return check === checksumOf(`${json},"line":${line}`) ? { line: Number(line), json: `${json}}` } : null;
}

/** The place of a line by its seal, whose checksum is of all bytes before its key; `null` as of `unsealLine`. Text of a million lines would be copied for it. */
function sealedPlace(data: Buffer): number | null {
  const [end, line, check] = seal.exec(data.toString('latin1', Math.max(0, data.length - longestSeal))) ?? [];
  if (end === undefined || check === undefined) return null;
  return check === checksumOf(data.subarray(0, data.length - checkLength)) ? Number(line) : null;
}

const lineFeed = 0x0a;
const chunkBytes = 2 ** 20;
const advice = 'Restore the file from a copy, or repair the recording, which keeps the whole lines.';

/** The content of a journal that is opened. */
export interface JournalState {
  /** Bytes up to the end of the last whole line; what follows is cut off. */
  readonly bytes: number;
  /** Whole lines. */
  readonly lines: number;
  /** `true` = the last whole line lacks its line feed. */
  readonly unterminated: boolean;
  /** Warnings about the lines, for the reader of a result. */
  readonly warnings: readonly Warning[];
}

/**
 * A file that grows by whole lines. A line is on the device when {@link Journal.append} returns; one that could not
 * be written whole is taken back, so that the file always consists of whole lines. Errors are the system's own.
 */
export class Journal {
  readonly path: string;
  readonly #descriptor: number;
  #bytes: number;
  #lines: number;
  #torn = false;
  #open = true;

  /** Opens the file, makes it if it is not there, and cuts it to its whole lines. */
  constructor(path: string, { bytes, lines, unterminated }: Omit<JournalState, 'warnings'>) {
    this.path = path;
    this.#bytes = bytes;
    this.#lines = lines;
    this.#descriptor = openSync(path, bytes === 0 ? 'w+' : 'r+');
    try {
      if (fstatSync(this.#descriptor).size > bytes) this.#cut();
      if (unterminated) this.#extend('\n');
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Whole lines on the device. */
  get lines(): number {
    return this.#lines;
  }

  /** True if the file was removed: lines still reach the device, but nobody will find them. */
  get isRemoved(): boolean {
    return fstatSync(this.#descriptor).nlink === 0;
  }

  /** Appends JSON of a trial as a line with its checksum, by one write, and waits until the device has it. */
  append(json: string): void {
    this.#extend(`${sealLine(json, this.#lines + 1)}\n`);
    this.#lines += 1;
  }

  /**
   * Reads lines back, without their line feeds; those that are appended meanwhile are left out.
   *
   * @param from number of lines to pass over
   */
  *linesFrom(from: number): Generator<string, void> {
    if (!this.#open) throw new RangeError(`${this.path} is closed`);
    let number = 0;
    for (const line of linesIn(this.#descriptor, this.#bytes)) {
      if (line.terminated && number++ >= from) yield line.data.toString();
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.#descriptor);
  }

  #extend(text: string): void {
    if (this.#torn) this.#cut();
    const data = Buffer.from(text);
    this.#torn = true;
    try {
      let written = 0;
      // more than one round only after a short write, as a disk that is nearly full gives
      while (written < data.length) {
        written += writeSync(this.#descriptor, data, written, data.length - written, this.#bytes + written);
      }
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      this.#tryToCut();
      throw error;
    }
    this.#torn = false;
    this.#bytes += data.length;
  }

  /** Takes an unfinished line back. */
  #cut(): void {
    ftruncateSync(this.#descriptor, this.#bytes);
    this.#torn = false;
  }

  /** A cut that fails is repeated before the next line; readers tolerate a torn last line until then. */
  #tryToCut(): void {
    try {
      this.#cut();
    } catch {
      this.#torn = true;
    }
  }
}

/** Lines of a file without their line feeds, in little memory; the last may lack its line feed. */
function* linesIn(
  descriptor: number,
  bytes: number,
): Generator<{ readonly data: Buffer; readonly terminated: boolean }, void> {
  let rest: Buffer = Buffer.alloc(0);
  for (let position = 0; position < bytes;) {
    const chunk = Buffer.allocUnsafe(rest.length + Math.min(chunkBytes, bytes - position));
    const length = readSync(descriptor, chunk, rest.copy(chunk), chunk.length - rest.length, position);
    // Only a file that another process shortened ends early.
    if (length === 0) break;
    position += length;
    const data = chunk.subarray(0, rest.length + length);
    let start = 0;
    for (let end = data.indexOf(lineFeed); end !== -1; end = data.indexOf(lineFeed, start)) {
      yield { data: data.subarray(start, end), terminated: true };
      start = end + 1;
    }
    rest = data.subarray(start);
  }
  if (rest.length > 0) yield { data: rest, terminated: false };
}

/** A journal read back, and where it may go on. */
interface JournalContent {
  readonly trials: readonly Trial[];
  readonly state: JournalState;
}

/**
 * Reads and checks `trials.jsonl`. A last line that was torn by a crash is left out; a missing file is an empty
 * journal (a crash before the first trial).
 *
 * @param options.packed trials as `PackedTrials` has them.
 * @throws RecordError `MALFORMED`, `JOURNAL_DAMAGED`, `NOT_READABLE` or `IO`.
 */
export async function readJournal(
  directory: string,
  { packed = false }: { readonly packed?: boolean } = {},
): Promise<JournalContent> {
  const trials: Trial[] = [];
  const lines = journalTrials(directory, packed ? new PackedTrials() : null);
  for (;;) {
    const { done, value } = lines.next();
    if (done === true) return { trials, state: value };
    trials.push(value);
  }
}

/**
 * Reads the trials of a journal as `readJournal` does, one after the other, whatever its size; in the end its state.
 *
 * @throws RecordError as `readJournal`
 */
export function* journalTrials(
  directory: string,
  packing: PackedTrials | null = null,
): Generator<Trial, JournalState, undefined> {
  const file = join(directory, recordingFiles.trials);
  const descriptor = openJournal(file);
  let [bytes, lines, unterminated, torn] = [0, 0, false, false];
  try {
    const size = descriptor === null ? 0 : fstatSync(descriptor).size;
    for (const { data, terminated } of descriptor === null ? [] : linesIn(descriptor, size)) {
      const text = data.toString();
      const end = bytes + data.length + (terminated ? 1 : 0);
      const line = { file, firstLine: lines + 1, text, data, advice };
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (cause) {
        torn = isTorn(text, { terminated, last: end === size });
        if (torn) break;
        throw malformed({ ...line, cause });
      }
      const alike = packing?.packAlike(withoutSeal(value)) ?? null;
      const trial = alike ?? toTrial(value, line);
      checkPlace(line);
      [bytes, lines, unterminated] = [end, lines + 1, !terminated];
      yield alike ?? packing?.pack(inFileOrder(trial, value)) ?? trial;
    }
  } catch (error) {
    throw readFailure(error, file);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
  const message = `the last line of ${file} is incomplete, so that its run is left out; resume the experiment to make it again`;
  return { bytes, lines, unterminated, warnings: torn ? [{ code: 'JOURNAL_TORN', message }] : [] };
}

/**
 * The trial of a line that this process wrote, so that its checksum is all that has to be checked.
 *
 * @throws RecordError `JOURNAL_DAMAGED` where it was changed since
 */
export function readOwnLine({ file, line, text }: { file: string; line: number; text: string }): Trial {
  const found = unsealLine(text);
  if (found === null) throw damaged(file, { line, trouble: 'it was changed while the experiment ran' });
  return JSON.parse(found.json) as Trial;
}

/** Takes the place and the checksum, which are no part of the trial, from what a line holds. */
function withoutSeal(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    // The last key first, which costs little.
    Reflect.deleteProperty(value, 'check');
    Reflect.deleteProperty(value, 'line');
  }
  return value;
}

/** The trial with its keys in the order of the file, in which those of the trials after it are looked for; the schema has an order of its own. */
function inFileOrder(trial: Trial, value: unknown): Trial {
  return isDeepStrictEqual(trial, value) ? (value as Trial) : trial;
}

/** @throws RecordError `MALFORMED` */
function toTrial(value: unknown, line: Omit<Parameters<typeof malformed>[0], 'cause' | 'issue'>): Trial {
  const parsed = trialSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw malformed({ ...line, cause: parsed.error, ...(issue === undefined ? {} : { issue }) });
}

/** @throws RecordError `JOURNAL_DAMAGED` where a line is not as it was written, or stands in another place */
function checkPlace({
  file,
  firstLine: line,
  data,
}: {
  readonly file: string;
  readonly firstLine: number;
  readonly data: Buffer;
}): void {
  const found = sealedPlace(data);
  if (found === null) throw damaged(file, { line, trouble: 'its checksum does not fit, so the line was changed' });
  if (found === line) return;
  throw damaged(file, {
    line,
    trouble: `it was written as line ${found}, so lines were repeated, moved or removed`,
  });
}

function damaged(file: string, { line, trouble }: { readonly line: number; readonly trouble: string }): RecordError {
  return new RecordError('JOURNAL_DAMAGED', `${file}:${line}: this line is damaged: ${trouble}. ${advice}`, {
    path: file,
    line,
  });
}

/**
 * True for text that is not JSON as a crash leaves it: a last line without its line feed, or one with several zero bytes
 * in a row, which is how a block that never reached the device reads after a power failure.
 */
function isTorn(text: string, { terminated, last }: { readonly terminated: boolean; readonly last: boolean }): boolean {
  return !terminated || (last && text.includes('\0\0'));
}

/** `null` where there is none. */
function openJournal(file: string): number | null {
  refuseSpecial(file);
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return null;
    throw readFailure(error, file);
  }
}
