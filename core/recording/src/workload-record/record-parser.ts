import { isDeepStrictEqual } from 'node:util';
import { iterationSchema, type Iteration, type Params } from '@deadheat/model';
import { malformed, positionInJson, type JsonPath } from '../malformed-json.ts';
import { RecordError } from '../record-error.ts';
import { IterationTable, phaseNumber, type RecordedBenchmark } from './iteration-table.ts';

/** Version of the record that this reader knows. */
export const recordVersion = 1;

const advice =
  'Write one JSON line an iteration, such as {"i":0,"s":123,"e":456,"n":1000}, as docs/formats/protocol.md says.';
const noHeader = `expected a first line such as {"deadheat":${recordVersion},"benchmark":"name","params":{}}`;
/** A longer line is not searched for the position of its mistake. */
const explainableCharacters = 100_000;

/** Takes the lines of a record one by one. */
export class RecordParser {
  readonly benchmarks: RecordedBenchmark[] = [];
  readonly #path: string;
  readonly #scanned = emptyIteration();
  #lines = 0;
  #table: IterationTable | null = null;
  #lastIndex = -1;
  #lastEndNs = 0;
  /** A line with zero bytes: an error, unless it is the last. */
  #pending: { readonly error: RecordError; readonly bytes: number } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Lines taken so far. */
  get lines(): number {
    return this.#lines;
  }

  /** Takes a whole line. */
  take(bytes: Buffer, start: number, end: number): void {
    if (this.#pending !== null) throw this.#pending.error;
    this.#lines += 1;
    const it = this.#scanned;
    const table = this.#table;
    if (table !== null && scanIteration(bytes, { start, end }, it) && this.#follows(it)) {
      table.append(it.i, it.s, { endNs: it.e, phase: it.phase });
      if (it.n >= 0) table.setMetric('n', it.n);
      if (it.c >= 0) table.setMetric('c', it.c);
      if (it.q >= 0) table.setMetric('q', it.q);
      if (it.v >= 0) table.setMetric('v', it.v);
      for (let k = 0; k < it.further; k++) table.setMetric(it.names[k]?.text ?? '', it.values[k] ?? 0);
      this.#lastIndex = it.i;
      this.#lastEndNs = it.e;
      return;
    }
    this.#takeText(bytes.toString('utf8', start, end));
  }

  /** Takes a last line without its line feed; `true` = it was cut and is left out. */
  takeCut(bytes: Buffer, start: number, end: number): boolean {
    const text = bytes.toString('utf8', start, end);
    if (isTorn(text)) return true;
    this.take(bytes, start, end);
    return false;
  }

  /** To be called after the last line. Gives the bytes of a line of zeros that a power failure left. */
  finish(): number {
    if (this.benchmarks.length === 0) {
      throw this.#plainError(`${noHeader}, found nothing`);
    }
    return this.#pending?.bytes ?? 0;
  }

  #follows({ i, s, e }: { readonly i: number; readonly s: number; readonly e: number }): boolean {
    return i > this.#lastIndex && s >= this.#lastEndNs && e >= s;
  }

  #takeText(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      const error = this.#error(text, null, cause);
      if (!text.includes('\0')) throw error;
      this.#pending = { error, bytes: Buffer.byteLength(text) + 1 };
      return;
    }
    if (isHeader(value)) this.#begin(text, value);
    else this.#append(text, value);
  }

  #begin(text: string, value: Readonly<Record<string, unknown>>): void {
    const version = value['deadheat'];
    if (typeof version === 'number' && Number.isInteger(version) && version > recordVersion) {
      throw new RecordError(
        'NEWER_VERSION',
        `${this.#path}:${this.#lines}: the record has version ${version}; this deadheat reads up to version ` +
          `${recordVersion}. Update deadheat to read it.`,
        { path: this.#path, line: this.#lines, versions: { found: version, supported: recordVersion } },
      );
    }
    if (version !== recordVersion) {
      throw this.#error(text, { path: ['deadheat'], message: `expected the version of the record, ${recordVersion}` });
    }
    const header = parseHeader(value);
    if ('message' in header) throw this.#error(text, header);
    const { benchmark, params } = header;
    if (this.benchmarks.some((known) => known.benchmark === benchmark && isDeepStrictEqual(known.params, params))) {
      const message = `expected another benchmark: '${benchmark}' with these parameters has begun before`;
      throw this.#error(text, { path: ['benchmark'], message });
    }
    this.#table = new IterationTable();
    this.#lastIndex = -1;
    this.benchmarks.push({ ...header, iterations: this.#table });
  }

  #append(text: string, value: unknown): void {
    const table = this.#table;
    if (table === null) {
      throw this.#error(text, { path: [], message: noHeader });
    }
    const iteration = this.#checked(text, value);
    const { i, s, e, p } = iteration;
    if (i <= this.#lastIndex) {
      const message =
        table.rowOf(i) >= 0
          ? `iteration ${i} is there twice; expected one above ${this.#lastIndex}`
          : `iteration ${i} comes after ${this.#lastIndex}; expected indices that grow`;
      throw this.#error(text, { path: ['i'], message });
    }
    if (s < this.#lastEndNs) {
      const message = `time runs backwards: expected a start at ${this.#lastEndNs} or later, the end before it, found ${s}`;
      throw this.#error(text, { path: ['s'], message });
    }
    if (e < s) {
      const message = `time runs backwards: expected an end at ${s} or later, its start, found ${e}`;
      throw this.#error(text, { path: ['e'], message });
    }
    table.append(i, s, { endNs: e, phase: p === undefined ? phaseNumber.none : phaseNumber[p] });
    table.keepFurther(iteration);
    this.#lastIndex = i;
    this.#lastEndNs = e;
  }

  #checked(text: string, value: unknown): Iteration {
    if (isIteration(value)) return value;
    const parsed = iterationSchema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw this.#error(text, issue ?? null, parsed.error);
  }

  #error(text: string, issue: HeaderIssue | null, cause?: unknown): RecordError {
    const file = this.#path;
    const causes = cause === undefined ? {} : { cause };
    if (text.length > explainableCharacters) return this.#plainError(issue?.message ?? 'this is not JSON', causes);
    return malformed({ file, firstLine: this.#lines, text, advice, ...causes, ...(issue === null ? {} : { issue }) });
  }

  /** An error about a line as a whole. */
  #plainError(message: string, causes: { readonly cause?: unknown } = {}): RecordError {
    const line = Math.max(this.#lines, 1);
    const text = `${this.#path}:${line}:1: ${message}. ${advice}`;
    return new RecordError('MALFORMED', text, { path: this.#path, line, column: 1, ...causes });
  }
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
function isNanoseconds(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}
function isAmount(value: unknown): boolean {
  return Number.isFinite(value) && (value as number) >= 0;
}

/** True for a JSON value that is an iteration by `iterationSchema` of the model, checked in a tenth of the time. */
export function isIteration(value: unknown): value is Iteration {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { i, s, e, n, p, c, d, q, v } = value as Readonly<Record<string, unknown>>;
  return (
    isCount(i) &&
    isNanoseconds(s) &&
    isNanoseconds(e) &&
    (n === undefined || (isCount(n) && n !== 0)) &&
    (p === undefined || p === 'warmup' || p === 'measure') &&
    (c === undefined || isAmount(c)) &&
    (d === undefined || (Array.isArray(d) && d.length > 0 && d.every(isAmount))) &&
    (q === undefined || isAmount(q)) &&
    (v === undefined || isCount(v))
  );
}

/** Possible rest of a string, a number or a word that was cut. */
const cutToken = /^(?:"[^]*|-?[\d.eE+-]*|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/;

/**
 * True for a last line that is not JSON as a killed writer leaves it: the beginning of an object, or zero bytes,
 * which is how a block that never reached the device reads after a power failure.
 */
function isTorn(text: string): boolean {
  if (text.includes('\0')) return true;
  if (!text.startsWith('{')) return false;
  const { offset, error } = positionInJson(text);
  return error !== null && cutToken.test(text.slice(offset));
}

/** The line that begins a benchmark. */
interface RecordHeader {
  readonly benchmark: string;
  /** Values as text: numbers and truth values are written out. */
  readonly params: Params;
  /** Unknown keys, as the workload wrote them. */
  readonly further: Readonly<Record<string, unknown>>;
}

interface HeaderIssue {
  readonly path: JsonPath;
  readonly message: string;
}

/** True for a JSON value that claims to begin a benchmark. */
function isHeader(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'deadheat');
}

/** Checks the keys of a header of version {@link recordVersion}. */
function parseHeader(value: Readonly<Record<string, unknown>>): RecordHeader | HeaderIssue {
  const { deadheat: _, benchmark, params: given = {}, ...further } = value;
  if (typeof benchmark !== 'string' || benchmark === '') {
    return { path: ['benchmark'], message: 'expected the name of the benchmark' };
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { path: ['params'], message: 'expected an object of parameters' };
  }
  const params: Record<string, string> = {};
  for (const [name, param] of Object.entries(given) as [string, unknown][]) {
    if (typeof param !== 'string' && typeof param !== 'number' && typeof param !== 'boolean') {
      return { path: ['params', name], message: 'expected a text, a number, true or false' };
    }
    params[name] = String(param);
  }
  return { benchmark, params, further };
}

/** Numbers of one iteration; NaN = not there. */
interface ScannedIteration {
  i: number;
  s: number;
  e: number;
  n: number;
  c: number;
  q: number;
  v: number;
  /** See {@link phaseNumber}. */
  phase: number;
  /** Number of further metrics in the line: the first ones of `names` and `values`. */
  further: number;
  /** Names as bytes and text: kept from line to line, as lines are alike. */
  readonly names: { bytes: Uint8Array; text: string }[];
  readonly values: number[];
}

function emptyIteration(): ScannedIteration {
  return {
    i: Number.NaN,
    s: Number.NaN,
    e: Number.NaN,
    n: Number.NaN,
    c: Number.NaN,
    q: Number.NaN,
    v: Number.NaN,
    phase: phaseNumber.none,
    further: 0,
    names: [],
    values: [],
  };
}

function code(character: string): number {
  return character.charCodeAt(0);
}
const quote = code('"');
const colon = code(':');
const comma = code(',');
const open = code('{');
const close = code('}');
const zero = code('0');
const backslash = code('\\');
const firstPrintable = 0x20;
const lastPrintable = 0x7e;
const key = {
  i: code('i'),
  s: code('s'),
  e: code('e'),
  n: code('n'),
  c: code('c'),
  q: code('q'),
  v: code('v'),
  d: code('d'),
};
const phaseKey = code('p');
const warmup = Buffer.from('"warmup"');
const measure = Buffer.from('"measure"');

/** Where a name of plain ASCII ends: at a quote, or at what only JSON.parse understands. */
function endOfName(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  for (; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote || byte === backslash || byte < firstPrintable || byte > lastPrintable) break;
  }
  return at;
}

function keepName(
  to: ScannedIteration,
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  const known = to.names[to.further]?.bytes;
  let same = known?.length === end - start;
  for (let at = start; same && at < end; at++) same = known?.[at - start] === bytes[at];
  if (same) return;
  const name = bytes.slice(start, end);
  to.names[to.further] = { bytes: new Uint8Array(name), text: String.fromCodePoint(...name) };
}

/**
 * Reads the record line that nearly every client writes: the protocol's keys and further metrics with whole numbers, no space.
 * Several times as fast as JSON.parse. Gives `false` for any other line, right or wrong: it is then read as JSON.
 *
 * @param to Receives the numbers; its former content is lost.
 */
function scanIteration(
  bytes: Uint8Array,
  { start, end }: { readonly start: number; readonly end: number },
  to: ScannedIteration,
): boolean {
  to.i = to.s = to.e = to.n = to.c = to.q = to.v = Number.NaN;
  to.phase = phaseNumber.none;
  to.further = 0;
  if (bytes[start] !== open || bytes[end - 1] !== close) return false;
  let at = start + 1;
  for (;;) {
    if (bytes[at] !== quote) return false;
    const nameStart = at + 1;
    const nameEnd = endOfName(bytes, nameStart, end);
    if (bytes[nameEnd] !== quote || bytes[nameEnd + 1] !== colon) return false;
    const name = nameEnd === nameStart + 1 ? bytes[nameStart] : undefined;
    at = nameEnd + 2;
    if (name === phaseKey) {
      const text = bytes[at + 1] === warmup[1] ? warmup : measure;
      for (let k = 0; k < text.length; k++) if (bytes[at + k] !== text[k]) return false;
      to.phase = text === warmup ? phaseNumber.warmup : phaseNumber.measure;
      at += text.length;
    } else {
      const first = at;
      let value = 0;
      for (; at < end; at++) {
        const digit = (bytes[at] ?? 0) - zero;
        if (digit < 0 || digit > 9) break;
        value = value * 10 + digit;
      }
      if (at === first || (bytes[first] === zero && at > first + 1) || value > Number.MAX_SAFE_INTEGER) return false;
      if (name === key.i) to.i = value;
      else if (name === key.s) to.s = value;
      else if (name === key.e) to.e = value;
      else if (name === key.n) to.n = value;
      else if (name === key.c) to.c = value;
      else if (name === key.q) to.q = value;
      else if (name === key.v) to.v = value;
      // Times of invocations are a list.
      else if (name === key.d) return false;
      else {
        keepName(to, bytes, { start: nameStart, end: nameEnd });
        if (to.names[to.further]?.text === 'deadheat') return false;
        to.values[to.further++] = value;
      }
    }
    if (bytes[at] === comma) at += 1;
    else return at === end - 1 && to.i >= 0 && to.s >= 0 && to.e >= 0 && to.n !== 0;
  }
}
