import type { Comparison } from '@deadheat/model';
import { verdictSentence, verdictWords } from '@deadheat/report';
import type { Colors } from '../terminal/colors.ts';
import { colorVerdict } from '../terminal/verdict-word.ts';
import { wrapText } from '../terminal/wrap-text.ts';

/** Column of the verdict's word behind its sentence, so that the words of several comparisons stand in a column. */
const wordColumn = 94;
/** Width of the word's column where it stands before the sentence. */
const leadWidth = 11;

/**
 * Sentence and word on one line where they fit; on a narrow terminal the word leads and the sentence is wrapped.
 * `width` null: one line however long. The `note` stands behind the word: what the gate says of this verdict.
 */
export function verdictLines(
  comparison: Comparison,
  { width, colors, note }: { readonly width: number | null; readonly colors: Colors; readonly note: string | null },
): readonly string[] {
  const sentence = verdictSentence(comparison);
  const word = verdictWords[comparison.verdict];
  const painted = colorVerdict(comparison.verdict, colors);
  const room = width ?? Number.POSITIVE_INFINITY;
  const behind = note === null ? '' : `, ${note}`;
  const length = word.length + behind.length;
  if (sentence.length + 2 + length <= room) {
    const column = Math.max(sentence.length + 2, Math.min(wordColumn, room - length));
    return [`${sentence.padEnd(column)}${painted}${behind}`];
  }
  const prose = `${note === null ? '' : `(${note}) `}${sentence.replace(/ {3}/, ' ').replace(/ {3}/, ', ')}`;
  const [first = '', ...rest] = wrapText(prose, room - leadWidth);
  return [
    `${painted}${' '.repeat(leadWidth - word.length)}${first}`,
    ...rest.map((line) => ' '.repeat(leadWidth) + line),
  ];
}
