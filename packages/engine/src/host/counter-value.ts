import type { CounterFile } from './counter-file.ts';

const newline = 0x0a;
const space = 0x20;
const zero = 0x30;
const nine = 0x39;

/** How to find a number in a counter file. Made once, so that a look-up allocates nothing. */
export interface CounterKey {
  /** Word at the start of the line, with the line break before it. */
  readonly needle: Buffer;
  /** Which number of the line counts, from 0. */
  readonly column: number;
}

/** The number in `column` (from 0) of the line that begins with `word`; the line must not be the first of the file. */
export function counterKey(word: string, column = 0): CounterKey {
  return { needle: Buffer.from(`\n${word} `), column };
}

/** The number that `key` stands for; -1 when the line or the column is missing. */
export function counterValue(file: CounterFile, key: CounterKey): number {
  const { bytes, length } = file;
  const line = bytes.indexOf(key.needle);
  if (line < 0) return -1;
  // A line found behind `length`, in the remains of an earlier reading, yields no digit below.
  let at = line + key.needle.length;
  for (let column = 0; ; column += 1) {
    while (at < length && bytes[at] === space) at += 1;
    const start = at;
    let value = 0;
    for (; at < length; at += 1) {
      const digit = bytes[at] ?? newline;
      if (digit < zero || digit > nine) break;
      value = value * 10 + (digit - zero);
    }
    if (at === start) return -1;
    if (column === key.column) return value;
  }
}
