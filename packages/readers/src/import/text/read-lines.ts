import { StringDecoder } from 'node:string_decoder';
import type { ImportSource } from '../import-source.ts';
import { malformedText } from '../import-error.ts';

export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Without its line end. */
  readonly text: string;
}

const longestLine = 16 * 1024 * 1024;

/**
 * The lines of a text file in pieces, as they come from the disk: each piece is a list of lines without their ends.
 *
 * @throws ImportError `MALFORMED_FILE` for a line above 16 Mi characters, or as the source
 */
export async function* readLineBatches(source: ImportSource): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let lines = 0;
  let isFirst = true;
  for await (const chunk of source.chunks()) {
    let text = decoder.write(chunk);
    if (isFirst && text.startsWith('\uFEFF')) text = text.slice(1);
    isFirst = false;
    const batch = (rest + text).split('\n');
    rest = batch.pop() ?? '';
    lines += batch.length;
    if (rest.length > longestLine) {
      const place = { path: source.path, line: lines + 1, column: 1 };
      throw malformedText(place, {
        what: 'a line of more than 16 Mi characters',
        advice: 'Check that this is a text file.',
      });
    }
    if (batch.length > 0) yield batch.map(withoutReturn);
  }
  rest += decoder.end();
  if (rest !== '') yield [withoutReturn(rest)];
}

/** The lines of a text file, one by one. */
export async function* readLines(source: ImportSource): AsyncGenerator<TextLine> {
  let number = 0;
  for await (const batch of readLineBatches(source)) {
    for (const text of batch) yield { number: ++number, text };
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
