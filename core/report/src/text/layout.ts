import type { Verdict, Warning } from '@deadheat/model';
import pc from 'picocolors';
import type { Detail } from './details.ts';
import { printable } from './printable.ts';
import { verdictWords } from './verdict-sentence.ts';

/** Style of text. */
export interface TextStyle {
  readonly color: boolean;
  /** Columns; `null` where it is not read on a terminal: verdicts stay on one line, prose is wrapped at 80. */
  readonly width: number | null;
  /** Nothing but results and errors. */
  readonly quiet: boolean;
}

/** Columns of prose, and its colours. */
export interface Layout {
  readonly width: number;
  readonly colors: Colors;
}

/** Functions that wrap a text in escape sequences, or leave it as it is. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Colours of a style. */
export function createColors({ color }: { readonly color: boolean }): Colors {
  return pc.createColors(color);
}

/** Width of prose where there is no terminal. */
export const proseWidth = 80;

/**
 * Rows of cells as lines, two blanks between columns, nothing behind the last cell.
 *
 * @param isRight whether the cells of a column, counted from 0, stand at its right end, as figures do; without it none do
 */
export function alignCells(
  rows: readonly (readonly string[])[],
  isRight: (column: number) => boolean = () => false,
): readonly string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(0, ...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (isRight(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** A number with its unit, and an interval in brackets, stay on one line. */
const piece = /(?:\[[^\]\n]{0,40}\]|\d (?=%|(?:ns|µs|ms|s|min|h|runs?)\b)|% (?=CI\b)|\S)+/g;

/** Breaks a text into lines of at most `width` characters; a longer word has a line of its own. At least one line. */
export function wrapText(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const word of paragraph.match(piece) ?? []) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else {
        line = line === '' ? word : `${line} ${word}`;
      }
    }
    return [...lines, line];
  });
}

/** Columns of the labels of details. */
export const labelWidth = 13;

/** Facts in two columns, the texts wrapped. */
export function detailLines(details: readonly Detail[], { width, colors }: Layout): readonly string[] {
  return details.flatMap(({ label, text }) => {
    const [first = '', ...rest] = wrapText(text, width - labelWidth);
    const painted = colors.dim(label) + ' '.repeat(Math.max(1, labelWidth - label.length));
    return [painted + first, ...rest.map((line) => ' '.repeat(labelWidth) + line)];
  });
}

const indent = '  ';

/** Warnings with their codes, wrapped. */
export function warningLines(warnings: readonly Warning[], { width, colors }: Layout): readonly string[] {
  return warnings.flatMap(({ code, message }) => {
    const label = `warning ${code}:`;
    const [first = '', ...rest] = wrapText(`${label} ${printable(message)}`, width - indent.length);
    const painted = first.startsWith(label) ? colors.yellow(label) + first.slice(label.length) : first;
    return [painted, ...rest.map((line) => indent + line)];
  });
}

/** The word in its colour. */
export function colorVerdict(
  verdict: Verdict,
  colors: Colors,
  { words = verdictWords }: { readonly words?: Readonly<Record<Verdict, string>> } = {},
): string {
  const paint = { slower: colors.red, faster: colors.green, 'dead-heat': colors.cyan, undecided: colors.yellow };
  return colors.bold(paint[verdict](words[verdict]));
}
