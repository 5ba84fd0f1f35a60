import { open } from 'node:fs/promises';
import { readFailure } from '../read-failure.ts';

/** A line without its line feed: bytes `start` to `end` of a buffer that holds them only during the call. */
export type TakeLine = (bytes: Buffer, start: number, end: number) => void;

export interface ReadLinesOptions {
  /** A longer line ends the reading. */
  readonly maximumBytes: number;
  /** Called for every line that ends in a line feed, in order. */
  readonly onLine: TakeLine;
  /** Called for what follows the last line feed, if there is anything. */
  readonly onRest: TakeLine;
  /** Makes the error for a line that is too long. */
  readonly tooLong: () => Error;
}

const firstBufferBytes = 1 << 20;
const lineFeed = 0x0a;

/**
 * Reads a file line by line; holds one line and a buffer at most.
 *
 * @throws RecordError `NOT_FOUND`, `NOT_READABLE` or `IO`, and what the callbacks throw
 */
export const readLines = async (
  path: string,
  { maximumBytes, onLine, onRest, tooLong }: ReadLinesOptions,
): Promise<void> => {
  const file = await open(path).catch((error: unknown) => {
    throw readFailure(error, path);
  });
  try {
    let buffer = Buffer.allocUnsafe(firstBufferBytes);
    let filled = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled).catch((error: unknown) => {
        throw readFailure(error, path);
      });
      if (bytesRead === 0) break;
      const searched = filled;
      filled += bytesRead;
      const content = buffer.subarray(0, filled);
      let start = 0;
      for (let end = content.indexOf(lineFeed, searched); end !== -1; end = content.indexOf(lineFeed, start)) {
        if (end - start > maximumBytes) throw tooLong();
        onLine(buffer, start, end);
        start = end + 1;
      }
      if (filled - start > maximumBytes) throw tooLong();
      if (start === 0 && filled === buffer.length) {
        const longer = Buffer.allocUnsafe(buffer.length * 2);
        buffer.copy(longer);
        buffer = longer;
      } else {
        buffer.copyWithin(0, start, filled);
        filled -= start;
      }
    }
    if (filled > 0) onRest(buffer, 0, filled);
  } finally {
    await file.close();
  }
};
