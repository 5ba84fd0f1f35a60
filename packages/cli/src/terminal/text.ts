import type { Verdict, Warning } from '@deadheat/model';
import { type Detail, printable, verdictWords } from '@deadheat/report';
import type { OutputChoices } from '../arguments/invocation.ts';
import type { Colors } from './style.ts';
import type { Terminal } from './terminal.ts';

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

const labelWidth = 13;

/** Facts in two columns, the texts wrapped. */
export function detailLines(
  details: readonly Detail[],
  { width, colors }: { readonly width: number; readonly colors: Colors },
): readonly string[] {
  return details.flatMap(({ label, text }) => {
    const [first = '', ...rest] = wrapText(text, width - labelWidth);
    const painted = colors.dim(label) + ' '.repeat(Math.max(1, labelWidth - label.length));
    return [painted + first, ...rest.map((line) => ' '.repeat(labelWidth) + line)];
  });
}

const indent = '  ';

/** Warnings with their codes, wrapped. */
export function warningLines(
  warnings: readonly Warning[],
  { width, colors }: { readonly width: number; readonly colors: Colors },
): readonly string[] {
  return warnings.flatMap(({ code, message }) => {
    const label = `warning ${code}:`;
    const [first = '', ...rest] = wrapText(`${label} ${printable(message)}`, width - indent.length);
    const painted = first.startsWith(label) ? colors.yellow(label) + first.slice(label.length) : first;
    return [painted, ...rest.map((line) => indent + line)];
  });
}

/** The word in its colour. */
export function colorVerdict(verdict: Verdict, colors: Colors): string {
  const paint = { slower: colors.red, faster: colors.green, 'dead-heat': colors.cyan, undecided: colors.yellow };
  return colors.bold(paint[verdict](verdictWords[verdict]));
}

/** Tells on standard error what is being made ready; `--style none` wants to hear nothing. */
export function createTeller({ style }: Pick<OutputChoices, 'style'>, { stderr }: Terminal): (text: string) => void {
  return (text) => {
    if (style !== 'none') stderr.write(`deadheat: ${printable(text)}\n`);
  };
}
