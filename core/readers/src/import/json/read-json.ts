import { isAscii } from 'node:buffer';
import { getHeapStatistics } from 'node:v8';
import type { ImportSource } from '../import-source.ts';
import { malformedText, mebibytes, tooLarge } from '../import-error.ts';
import { JsonNode } from './json-node.ts';

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
 * Reads a JSON file; `NaN`, `Infinity` and `-Infinity`, which Python and Google Benchmark write, are numbers that are not finite.
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
    const { at, what } = findSyntaxError(text);
    const before = text.slice(0, at);
    const place = { path, line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
    throw malformedText(place, { what, advice });
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

const notFinite = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    // A number that is too large for a float64 is read as Infinity.
    return JSON.parse(
      text.replace(notFinite, (found) => (found.startsWith('"') ? found : found.startsWith('-') ? '-1e999' : '1e999')),
    );
  }
}

const blanks = /[ \t\n\r]*/y;
const token = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b|NaN\b|-?Infinity\b/y; // prettier-ignore

/**
 * The place where a text stops being JSON. Not every version of Node says it in the message of `JSON.parse`.
 *
 * @returns `at` counts characters from 0
 */
function findSyntaxError(text: string): { readonly at: number; readonly what: string } {
  /** Kinds of the open objects and arrays. */
  const open: ('{' | '[')[] = [];
  let at = 0;
  let expected: 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' = 'value';
  for (;;) {
    blanks.lastIndex = at;
    blanks.test(text);
    at = blanks.lastIndex;
    const char = text[at] ?? '';
    const innermost = open.at(-1);
    if (expected === ', or end' && innermost === undefined) {
      return { at, what: `expected the end of the file, found ${shownCharacter(char)}` };
    }
    if (char === '') return { at, what: 'the JSON ends too early' };
    const closes = (char === '}' && innermost === '{') || (char === ']' && innermost === '[');
    if (closes && (expected === ', or end' || expected === 'key or }' || expected === 'value or ]')) {
      open.pop();
      expected = ', or end';
      at += 1;
    } else if (expected === ', or end') {
      if (char !== ',') return { at, what: `expected ',' or '${innermost === '{' ? '}' : ']'}', found ${shownCharacter(char)}` }; // prettier-ignore
      expected = innermost === '{' ? 'key' : 'value';
      at += 1;
    } else if (expected === ':') {
      if (char !== ':') return { at, what: `expected ':' after a key, found ${shownCharacter(char)}` };
      expected = 'value';
      at += 1;
    } else if ((char === '{' || char === '[') && expected.startsWith('value')) {
      open.push(char);
      expected = char === '{' ? 'key or }' : 'value or ]';
      at += 1;
    } else {
      token.lastIndex = at;
      const isKey = expected.startsWith('key');
      if ((isKey && char !== '"') || !token.test(text)) return { at, what: describeToken(char, isKey) };
      at = token.lastIndex;
      expected = isKey ? ':' : ', or end';
    }
  }
}

function describeToken(char: string, isKey: boolean): string {
  if (char === '"')
    return 'a text in quotes that does not end, or holds a line break, a control character or an unknown escape';
  if (!isKey && /[-\d]/.test(char)) return 'a number that is not as JSON has them';
  return `expected ${isKey ? 'a key in double quotes' : 'a value'}, found ${shownCharacter(char)}`;
}

function shownCharacter(char: string): string {
  return /[!-~]/.test(char) ? `'${char}'` : `character ${char.charCodeAt(0)}`;
}
