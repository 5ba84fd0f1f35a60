import { isAscii } from 'node:buffer';
import { getHeapStatistics } from 'node:v8';
import { positionInJson } from '@deadheat/recording';
import type { ImportSource } from '../import-source.ts';
import { malformedText, mebibytes, tooLarge, ImportError } from '../import-error.ts';
import { largestAmount } from '../../grammar/units.ts';

/**
 * Bytes of the heap by a character of JSON, at least what `JSON.parse` of Node 20 took for lists of numbers, pairs, empty and full objects:
 * an array or object, an item with its number, and half of a text in quotes.
 */
const heapBytes: ReadonlyMap<number | undefined, number> = new Map([
  [0x5b, 64],
  [0x7b, 64],
  [0x2c, 24],
  [0x22, 8],
]);
/** Most bytes of the heap by a byte of JSON, those of `[],[],...`. */
const mostHeapBytes = 30;

/**
 * Reads a JSON file; `NaN` and `Infinity`, which Python and Google Benchmark write, and `nan` and `inf` of C++ are numbers that are not finite.
 *
 * @param options.advice Last sentence of every message about the content.
 * @param options.heapLimit Bytes that the heap may hold; Node's own limit when absent.
 * @throws ImportError `MALFORMED_FILE` with line and column, `TOO_LARGE` for a file whose content the heap cannot hold, or as the source
 */
export async function readJson(
  source: ImportSource,
  { advice, heapLimit = getHeapStatistics().heap_size_limit }: { readonly advice: string; readonly heapLimit?: number },
): Promise<JsonNode> {
  const { path } = source;
  const text = textOf(await source.bytes(), { path, heapLimit });
  try {
    return new JsonNode(parse(text), { path, advice });
  } catch {
    const { offset, error } = positionInJson(text, { notFinite: true });
    const before = text.slice(0, offset);
    const place = { path, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
    throw malformedText(place, { what: error ?? 'this is not JSON', advice });
  }
}

function textOf(bytes: Buffer, { path, heapLimit }: { readonly path: string; readonly heapLimit: number }): string {
  if (bytes.length * mostHeapBytes > heapLimit) checkHeap(bytes, { path, heapLimit });
  // Texts in Latin-1 are kept outside of the heap.
  const text = isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8');
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Refuses what would end the process: Node cannot recover from a full heap. */
function checkHeap(bytes: Buffer, { path, heapLimit }: { readonly path: string; readonly heapLimit: number }): void {
  let needed = isAscii(bytes) ? 0 : 2 * bytes.length;
  for (let at = 0; at < bytes.length; at++) needed += heapBytes.get(bytes[at]) ?? 0;
  if (needed <= heapLimit) return;
  const what = `${mebibytes(bytes.length)} of JSON whose content may take ${mebibytes(needed)} of memory, and the heap of Node holds ${mebibytes(heapLimit)}`;
  const larger = 2 ** Math.ceil(Math.log2(needed / 2 ** 20));
  throw tooLarge(path, { what, instead: `or set NODE_OPTIONS=--max-old-space-size=${larger}` });
}

const notFinite = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity|nan|inf)\b/g;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity|nan|inf/.test(text)) throw error;
    // A number that is too large for a float64 is read as Infinity.
    return JSON.parse(
      text.replace(notFinite, (found) => (found.startsWith('"') ? found : found.startsWith('-') ? '-1e999' : '1e999')),
    );
  }
}

/** The file that a value is from. */
interface JsonOrigin {
  readonly path: string;
  /** Last sentence of every error: where files of this kind come from. */
  readonly advice: string;
}

const plainKey = /^[A-Za-z_][A-Za-z0-9_]*$/;
const longestShown = 40;

/** A value of a JSON text that knows its place, so that an error can name it. */
export class JsonNode {
  readonly value: unknown;
  readonly #origin: JsonOrigin;
  readonly #parent: JsonNode | null;
  readonly #key: string | number;

  constructor(
    value: unknown,
    origin: JsonOrigin,
    place: { readonly parent: JsonNode; readonly key: string | number } | null = null,
  ) {
    this.value = value;
    this.#origin = origin;
    this.#parent = place?.parent ?? null;
    this.#key = place?.key ?? '$';
  }

  /** Such as `$.benchmarks[2].name`. */
  get jsonPath(): string {
    if (this.#parent === null) return '$';
    const key = this.#key;
    const step = typeof key === 'number' ? `[${key}]` : plainKey.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
    return this.#parent.jsonPath + step;
  }

  /** True if the value is absent or `null`. */
  get isNothing(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** The value below a key, which may be absent. */
  get(key: string): JsonNode {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.error('an object');
    const below = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    return new JsonNode(below, this.#origin, { parent: this, key });
  }

  /** `get` over several keys, as far as there are objects. */
  maybe(key: string, ...further: readonly string[]): JsonNode | null {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const below = this.get(key);
    if (below.isNothing) return null;
    const [next, ...rest] = further;
    return next === undefined ? below : below.maybe(next, ...rest);
  }

  entries(): readonly (readonly [string, JsonNode])[] {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.error('an object');
    return Object.entries(value).map(([key, below]) => [key, new JsonNode(below, this.#origin, { parent: this, key })]);
  }

  items(): readonly JsonNode[] {
    if (!Array.isArray(this.value)) throw this.error('an array');
    return this.value.map((below, key) => new JsonNode(below, this.#origin, { parent: this, key }));
  }

  /** Length of an array, without looking at its items. */
  count(): number {
    if (!Array.isArray(this.value)) throw this.error('an array');
    return this.value.length;
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.error('a text');
    return this.value;
  }

  /** The text, or `null` where there is none. */
  textOrNull(): string | null {
    return typeof this.value === 'string' ? this.value : null;
  }

  number(): number {
    if (typeof this.value !== 'number' || !Number.isFinite(this.value)) throw this.error('a number');
    return this.value;
  }

  /** A finite number, or `null` where there is none. */
  numberOrNull(): number | null {
    return typeof this.value === 'number' && Number.isFinite(this.value) ? this.value : null;
  }

  /** A time, size or count: a number of at least 0. */
  amount(): number {
    const value = this.number();
    if (value < 0) throw this.error('a number of at least 0');
    if (value > largestAmount) throw this.error(`a number of at most ${largestAmount}`);
    return value;
  }

  /** An amount in another unit, `null` where there is none. */
  scaledOrNull(factor: number): number | null {
    return this.isNothing ? null : this.amount() * factor;
  }

  /** A number above 0. */
  positive(): number {
    const value = this.number();
    if (value <= 0) throw this.error('a number above 0');
    if (value > largestAmount) throw this.error(`a number of at most ${largestAmount}`);
    return value;
  }

  /** A count: a whole number of at least 1. */
  whole(): number {
    const value = this.number();
    if (value < 1 || !Number.isInteger(value)) throw this.error('a whole number of at least 1');
    return value;
  }

  /** An array of times or counts, without a node for each. */
  amounts(): readonly number[] {
    if (!Array.isArray(this.value)) throw this.error('an array of numbers');
    const values: readonly unknown[] = this.value;
    for (const [key, value] of values.entries()) if (!isAmount(value)) throw this.#noAmount(key, value);
    return values as readonly number[];
  }

  #noAmount(key: number, value: unknown): ImportError {
    const isLarge = typeof value === 'number' && value > largestAmount && value !== Number.POSITIVE_INFINITY;
    const allowed = isLarge ? `a number of at most ${largestAmount}` : 'a number of at least 0';
    return new JsonNode(value, this.#origin, { parent: this, key }).error(allowed);
  }

  /** Parameters: texts, and other values as JSON. */
  params(): Record<string, string> {
    return Object.fromEntries(this.entries().map(([name, node]) => [name, node.#asText()]));
  }

  #asText(): string {
    if (typeof this.value === 'string') return this.value;
    try {
      return JSON.stringify(this.value);
    } catch {
      // The call stack is too short for very deep values.
      throw this.error('a text or number');
    }
  }

  /** The error `MALFORMED_FILE` at this value. */
  error(expected: string): ImportError {
    const { path, advice } = this.#origin;
    const { jsonPath } = this;
    const message = `${path}: ${jsonPath}: expected ${expected}, found ${shown(this.value)}. ${advice}`;
    return new ImportError('MALFORMED_FILE', message, { path, jsonPath });
  }
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= largestAmount;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  // NaN is read as Infinity.
  if (typeof value === 'number' && !Number.isFinite(value)) return 'NaN or Infinity';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
