import { ByteTexts, DecimalReader, isDigit } from '../text/byte-values.ts';

/** Takes what a JSON text consists of, in its order. */
export interface JsonEvents {
  readonly open: (kind: 'object' | 'array') => void;
  readonly close: () => void;
  readonly key: (name: string) => void;
  readonly value: (value: string | number | boolean | null) => void;
}

const expects = { value: 0, valueOrClose: 1, keyOrClose: 2, key: 3, colon: 4, commaOrClose: 5, nothing: 6 } as const;
type Expects = (typeof expects)[keyof typeof expects];

const deepest = 256;
const longestTokenBytes = 16 * 1024 * 1024;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const literals: ReadonlyMap<string, boolean | number | null> = new Map<string, boolean | number | null>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function isLetter(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
}

/**
 * Takes a JSON text piece by piece and tells its parts. Keeps no more than a copy of one token between pieces. `NaN`, `Infinity`
 * and `-Infinity` are taken as numbers, because Google Benchmark writes them.
 */
export class JsonTokenizer {
  readonly #events: JsonEvents;
  readonly #texts = new ByteTexts();
  readonly #decimal = new DecimalReader();
  #expects: Expects = expects.value;
  /** Kinds of the open objects (1) and arrays (0). */
  readonly #open = new Uint8Array(deepest);
  #depth = 0;
  /** Whether the innermost of them is an array. */
  #isArray = false;
  #rest: Buffer | null = null;
  #room = Buffer.alloc(0);
  /** Bytes before the piece in hand. */
  #before = 0;
  #line = 1;
  /** Offset of the first byte of the line. */
  #lineStart = 0;
  /** Whether the text in quotes that was found last has a backslash. */
  #hasEscape = false;
  /** End of the number that was read last. */
  #numberEnd = 0;

  constructor(events: JsonEvents) {
    this.#events = events;
  }

  /** @throws JsonSyntaxError where the text stops being JSON, and what the events throw */
  write(chunk: Buffer): void {
    this.#take(this.#rest === null ? chunk : this.#joined(this.#rest, chunk), false);
  }

  /** @throws JsonSyntaxError when the text is not whole */
  end(): void {
    const piece = this.#rest ?? Buffer.alloc(0);
    this.#take(piece, true);
    if (this.#expects !== expects.nothing) throw this.#error('the JSON ends too early', piece.length);
  }

  /** Both in a memory that is used again: what is left to the collector of garbage adds up to more than the rest. */
  #joined(rest: Buffer, chunk: Buffer): Buffer {
    const length = rest.length + chunk.length;
    if (this.#room.length < length) this.#room = Buffer.allocUnsafeSlow(2 * length);
    rest.copy(this.#room);
    chunk.copy(this.#room, rest.length);
    return this.#room.subarray(0, length);
  }

  #take(bytes: Buffer, isLast: boolean): void {
    const { length } = bytes;
    let at = this.#before === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    while (at < length) {
      const byte = bytes[at] ?? 0;
      if (byte === 0x20 || byte === 0x0d || byte === 0x09) {
        at += 1;
      } else if (byte === 0x0a) {
        at += 1;
        this.#line += 1;
        this.#lineStart = this.#before + at;
      } else {
        const next = this.#token(bytes, at, isLast);
        if (next === -1) break;
        at = next;
      }
    }
    this.#rest = at < length ? Buffer.from(bytes.subarray(at)) : null;
    if (this.#rest !== null && this.#rest.length > longestTokenBytes) {
      throw this.#error('a text or number above 16 MiB', at);
    }
    this.#before += at;
  }

  /** Takes the token at `at`; gives the place behind it, -1 = it is not whole yet. */
  #token(bytes: Buffer, at: number, isLast: boolean): number {
    const byte = bytes[at] ?? 0;
    switch (this.#expects) {
      case expects.valueOrClose:
        if (byte === 0x5d) return this.#close(at);
        return this.#value(bytes, at, isLast);
      case expects.value:
        return this.#value(bytes, at, isLast);
      case expects.keyOrClose:
        if (byte === 0x7d) return this.#close(at);
        return this.#key(bytes, at, isLast);
      case expects.key:
        return this.#key(bytes, at, isLast);
      case expects.colon:
        if (byte !== 0x3a) throw this.#unexpected(byte, at, "':' after a key");
        this.#expects = expects.value;
        return at + 1;
      case expects.commaOrClose: {
        const isObject = !this.#isArray;
        if (byte === 0x2c) {
          this.#expects = isObject ? expects.key : expects.value;
          return at + 1;
        }
        if (byte === (isObject ? 0x7d : 0x5d)) return this.#close(at);
        throw this.#unexpected(byte, at, isObject ? "',' or '}'" : "',' or ']'");
      }
      case expects.nothing:
        throw this.#unexpected(byte, at, 'the end of the file');
    }
  }

  #value(bytes: Buffer, at: number, isLast: boolean): number {
    const byte = bytes[at] ?? 0;
    if (isDigit(byte) || (byte === 0x2d && bytes[at + 1] !== 0x49)) return this.#numbers(bytes, at, isLast);
    if (byte === 0x22) {
      const end = this.#stringEnd(bytes, at, isLast);
      if (end === -1) return -1;
      this.#settle();
      this.#events.value(this.#text(bytes, at, end));
      return end;
    }
    if (byte === 0x7b || byte === 0x5b) {
      if (this.#depth === deepest) throw this.#error(`objects and arrays nested more than ${deepest} deep`, at);
      const isObject = byte === 0x7b;
      this.#open[this.#depth++] = isObject ? 1 : 0;
      this.#isArray = !isObject;
      this.#expects = isObject ? expects.keyOrClose : expects.valueOrClose;
      this.#events.open(isObject ? 'object' : 'array');
      return at + 1;
    }
    return this.#literal(bytes, at, isLast);
  }

  /** Takes the number at `at`, and those of an array that follow it without a space. */
  #numbers(bytes: Buffer, at: number, isLast: boolean): number {
    for (let begin = at; ;) {
      const value = this.#number(bytes, begin, isLast);
      // The state of the text at `begin` is that of `at`: a value is expected.
      if (this.#numberEnd === -1) return begin === at ? -1 : begin;
      const end = this.#numberEnd;
      const goesOn = this.#isArray && bytes[end] === 0x2c && isDigit(bytes[end + 1]);
      if (goesOn) this.#expects = expects.value;
      else this.#settle();
      this.#events.value(value);
      if (!goesOn) return end;
      begin = end + 1;
    }
  }

  #literal(bytes: Buffer, at: number, isLast: boolean): number {
    let end = at + (bytes[at] === 0x2d ? 1 : 0);
    while (end < bytes.length && end - at < 10 && isLetter(bytes[end] ?? 0)) end += 1;
    if (end === bytes.length && !isLast) return -1;
    const value = literals.get(bytes.toString('latin1', at, end));
    if (value === undefined) throw this.#unexpected(bytes[at] ?? 0, at, 'a value');
    this.#settle();
    this.#events.value(value);
    return end;
  }

  #key(bytes: Buffer, at: number, isLast: boolean): number {
    if (bytes[at] !== 0x22) throw this.#unexpected(bytes[at] ?? 0, at, 'a key in double quotes');
    const end = this.#stringEnd(bytes, at, isLast);
    if (end === -1) return -1;
    this.#expects = expects.colon;
    this.#events.key(this.#text(bytes, at, end));
    return end;
  }

  #close(at: number): number {
    this.#depth -= 1;
    this.#isArray = this.#depth > 0 && this.#open[this.#depth - 1] === 0;
    this.#settle();
    this.#events.close();
    return at + 1;
  }

  #settle(): void {
    this.#expects = this.#depth === 0 ? expects.nothing : expects.commaOrClose;
  }

  /** Place behind the closing quote, -1 = not in this piece. */
  #stringEnd(bytes: Buffer, at: number, isLast: boolean): number {
    this.#hasEscape = false;
    for (let end = at + 1; end < bytes.length; end += 1) {
      const byte = bytes[end] ?? 0;
      if (byte === 0x22) return end + 1;
      if (byte === 0x5c) {
        this.#hasEscape = true;
        end += 1;
      } else if (byte < 0x20) throw this.#error('a line break or control character inside a text', end);
    }
    if (isLast) throw this.#error('a text in quotes that does not end', at);
    return -1;
  }

  /** The text between two quotes, which `#stringEnd` found last. */
  #text(bytes: Buffer, at: number, end: number): string {
    if (!this.#hasEscape) return this.#texts.textOf(bytes, at + 1, end - 1);
    try {
      return JSON.parse(bytes.toString('utf8', at, end)) as string;
    } catch {
      throw this.#error('an escape that JSON does not have', at);
    }
  }

  /** Reads the number at `at` and leaves its end in `#numberEnd`, -1 = it may go on in the next piece. */
  #number(bytes: Buffer, at: number, isLast: boolean): number {
    const isNegative = bytes[at] === 0x2d;
    const first = isNegative ? at + 1 : at;
    let size = this.#decimal.read(bytes, first);
    let { end } = this.#decimal;
    // No number begins with 0 and another digit.
    if (bytes[first] === 0x30 && isDigit(bytes[first + 1])) size = Number.NaN;
    if (bytes[end] === 0x65 || bytes[end] === 0x45) {
      size = Number.NaN;
      end += 1;
      if (bytes[end] === 0x2b || bytes[end] === 0x2d) end += 1;
      while (isDigit(bytes[end])) end += 1;
    }
    if (end === bytes.length && !isLast) {
      this.#numberEnd = -1;
      return 0;
    }
    this.#numberEnd = end;
    const isOver = !isLetter(bytes[end] ?? 0);
    if (isOver && !Number.isNaN(size)) return isNegative ? -size : size;
    const text = bytes.toString('latin1', at, end);
    if (!isOver || !jsonNumber.test(text)) throw this.#error('a number that is not as JSON has them', at);
    return Number(text);
  }

  #unexpected(byte: number, at: number, expected: string): JsonSyntaxError {
    const found = byte > 0x20 && byte < 0x7f ? `'${String.fromCharCode(byte)}'` : `byte ${byte}`;
    return this.#error(`expected ${expected}, found ${found}`, at);
  }

  #error(message: string, at: number): JsonSyntaxError {
    return new JsonSyntaxError(message, { line: this.#line, column: this.#before + at - this.#lineStart + 1 });
  }
}

/** A text that is not JSON; line and column from 1, the column in bytes. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly line: number;
  readonly column: number;

  constructor(message: string, { line, column }: { readonly line: number; readonly column: number }) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** Keys and indexes from the top of a JSON text. */
export type JsonPath = readonly (string | number)[];

/**
 * Takes the content of one array or object instead of having it built, from after its opening to before its closing
 * bracket; what `finish` gives stands in the tree in its place.
 */
export interface JsonReducer extends JsonEvents {
  readonly finish: () => unknown;
}

/** What `finish` gives for an item of a list that need not stand in the tree. */
export const taken: unique symbol = Symbol('taken');

/** Decides whether the array or object that opens at a path is reduced; the path is only good during the call. */
export type ChooseReducer = (path: JsonPath, kind: 'object' | 'array') => JsonReducer | null;

/** Whether the value of a key is kept; the path ends with the key and is only good during the call. */
export type WantedParts = (path: JsonPath) => boolean;
