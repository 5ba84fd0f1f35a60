import { isAscii } from 'node:buffer';
import { getHeapStatistics } from 'node:v8';
import { positionInJson } from '@deadheat/recording';
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
