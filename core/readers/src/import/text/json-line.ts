import { ByteTexts, DecimalReader, isDigit } from './byte-values.ts';

const kinds = { absent: 0, text: 1, number: 2, other: 3 } as const;
const [quote, backslash, colon, comma, openBrace, closeBrace] = [0x22, 0x5c, 0x3a, 0x2c, 0x7b, 0x7d];
const literals = ['true', 'false', 'null'].map((text) => Buffer.from(text));

/**
 * A JSON object that is a line of its own, of which some keys are asked for; good until the next is held. Flat objects are read from
 * their bytes; those with escapes, exponents, or objects and arrays in them are left to `JSON.parse`.
 */
export class JsonLine {
  readonly #keys: readonly { readonly name: string; readonly bytes: Buffer }[];
  readonly #texts = new ByteTexts();
  readonly #decimal = new DecimalReader();
  /** By key: what its value is, where that begins and ends, and the number. */
  readonly #kinds: Uint8Array;
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #numbers: Float64Array;
  #bytes: Buffer = Buffer.alloc(0);
  #line: readonly [at: number, end: number] = [0, 0];
  /** `null` = not needed so far. */
  #parsed: Readonly<Record<string, unknown>> | null = null;

  constructor(keys: readonly string[]) {
    this.#keys = [...new Set(keys)].map((name) => ({ name, bytes: Buffer.from(name) }));
    this.#kinds = new Uint8Array(this.#keys.length);
    this.#from = new Int32Array(this.#keys.length);
    this.#to = new Int32Array(this.#keys.length);
    this.#numbers = new Float64Array(this.#keys.length);
  }

  /** Makes it the object from one place to before another; gives whether there is one. */
  hold(bytes: Buffer, at: number, end: number): boolean {
    this.#bytes = bytes;
    this.#line = [at, end];
    this.#parsed = null;
    if (this.#scan(bytes, at, end)) return true;
    this.#kinds.fill(kinds.other);
    this.#parsed = objectOf(bytes.toString('utf8', at, end));
    return this.#parsed !== null;
  }

  /** The text or number of a key as a text; `undefined` = it may be of another kind. */
  text(key: string): string | undefined {
    const index = this.#indexOf(key);
    if (this.#kinds[index] === kinds.number) return String(this.#numbers[index]);
    if (this.#kinds[index] !== kinds.text) return undefined;
    return this.#texts.textOf(this.#bytes, this.#from[index] ?? 0, this.#to[index] ?? 0);
  }

  /** The number of a key; `undefined` = it may be of another kind. */
  number(key: string): number | undefined {
    const index = this.#indexOf(key);
    return this.#kinds[index] === kinds.number ? this.#numbers[index] : undefined;
  }

  /** The value of a key, of whatever kind; `null` where there is none. */
  value(key: string): unknown {
    this.#parsed ??= objectOf(this.#bytes.toString('utf8', ...this.#line));
    return this.#parsed !== null && Object.hasOwn(this.#parsed, key) ? this.#parsed[key] : null;
  }

  #indexOf(key: string): number {
    for (let index = 0; index < this.#keys.length; index++) if (this.#keys[index]?.name === key) return index;
    return -1;
  }

  /** Finds the values of the keys; `false` = it takes more to tell what the line is. */
  #scan(bytes: Buffer, begin: number, end: number): boolean {
    this.#kinds.fill(kinds.absent);
    let at = skipSpace(bytes, begin);
    if (bytes[at] !== openBrace) return false;
    do {
      at = skipSpace(bytes, at + 1);
      const keyEnd = textEnd(bytes, at);
      if (keyEnd === -1) return false;
      const index = this.#keyAt(bytes, at + 1, keyEnd);
      at = skipSpace(bytes, keyEnd + 1);
      if (bytes[at] !== colon) return false;
      at = this.#value(bytes, skipSpace(bytes, at + 1), index);
      if (at === -1) return false;
      at = skipSpace(bytes, at);
    } while (bytes[at] === comma);
    return bytes[at] === closeBrace && skipSpace(bytes, at + 1) >= end;
  }

  /** Takes the value at a place, of a key that is asked for or not (-1); gives the place behind it, -1 = it is none of the plain ones. */
  #value(bytes: Buffer, at: number, index: number): number {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      const end = textEnd(bytes, at);
      if (end === -1) return -1;
      this.#set(index, kinds.text);
      this.#from[index] = at + 1;
      this.#to[index] = end;
      return end + 1;
    }
    if (isDigit(byte)) {
      const number = this.#decimal.read(bytes, at);
      const { end } = this.#decimal;
      const next = bytes[end];
      if (Number.isNaN(number) || next === 0x65 || next === 0x45) return -1;
      if (byte === 0x30 && isDigit(bytes[at + 1])) return -1;
      this.#set(index, kinds.number);
      this.#numbers[index] = number;
      return end;
    }
    for (const literal of literals) {
      if (byte !== literal[0]) continue;
      if (bytes.compare(literal, 0, literal.length, at, at + literal.length) !== 0) return -1;
      this.#set(index, kinds.other);
      return at + literal.length;
    }
    return -1;
  }

  #set(index: number, kind: number): void {
    if (index !== -1) this.#kinds[index] = kind;
  }

  #keyAt(bytes: Buffer, from: number, to: number): number {
    for (let index = 0; index < this.#keys.length; index++) {
      const key = this.#keys[index]?.bytes ?? Buffer.alloc(0);
      if (key.length !== to - from) continue;
      let at = 0;
      while (at < key.length && key[at] === bytes[from + at]) at += 1;
      if (at === key.length) return index;
    }
    return -1;
  }
}

/** The place of the quote that ends a text, -1 = there is no plain text. */
function textEnd(bytes: Buffer, at: number): number {
  if (bytes[at] !== quote) return -1;
  for (let end = at + 1; end < bytes.length; end++) {
    const byte = bytes[end] ?? 0;
    if (byte === quote) return end;
    if (byte === backslash || byte < 0x20) return -1;
  }
  return -1;
}

function skipSpace(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] === 0x20 || bytes[end] === 0x09 || bytes[end] === 0x0d) end += 1;
  return end;
}

/** The object of a line; `null` when it is none. */
function objectOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : null;
  } catch {
    return null;
  }
}
