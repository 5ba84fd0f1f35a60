import { malformedText } from '../import-error.ts';
import type { ImportSource } from '../import-source.ts';

export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Without its line end. */
  readonly text: string;
  /** Offset of its first byte in the file. */
  readonly at: number;
}

const longestLineBytes = 16 * 2 ** 20;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/**
 * The lines of a text file, without its byte order mark.
 *
 * @throws ImportError `MALFORMED_FILE` for a line above 16 MiB, or as the source
 */
export async function readLines(source: ImportSource): Promise<Iterable<TextLine>> {
  return linesOf(await source.bytes(), source.path);
}

/** The lines of the content of a file, as `readLines`. */
export function* linesOf(bytes: Buffer, path: string): Generator<TextLine> {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  for (let [at, number] = [hasMark ? 3 : 0, 1]; at < bytes.length; number++) {
    const found = bytes.indexOf(lineFeed, at);
    const end = found === -1 ? bytes.length : found;
    if (end - at > longestLineBytes) {
      const advice = 'Check that this is a text file.';
      throw malformedText({ path, line: number, column: 1 }, { what: 'a line of more than 16 MiB', advice });
    }
    yield {
      number,
      at,
      text: bytes.toString('utf8', at, bytes[end - 1] === carriageReturn && end > at ? end - 1 : end),
    };
    at = end + 1;
  }
}
