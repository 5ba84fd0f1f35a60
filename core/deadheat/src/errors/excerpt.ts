import { escapeQuotes, quoteWord } from '@deadheat/model';

/** A line shown under an error with a caret below the place that is wrong. */
export interface Excerpt {
  readonly text: string;
  /** Column of the caret, from 0. */
  readonly column: number;
}

/**
 * The command line `words` with a caret under character `offset` of word number `at`.
 * A word that needs quotes is shown with them, the caret moved accordingly; a word past the last is a missing one.
 */
export function createExcerpt(words: readonly string[], { at, offset = 0 }: { at: number; offset?: number }): Excerpt {
  const shown = words.map((word) => quoteWord(word));
  const before = shown.slice(0, at).reduce((sum, word) => sum + word.length + 1, 0);
  const word = words[at];
  if (word === undefined) return { text: shown.join(' '), column: before };
  const start = shown[at] === word ? word.slice(0, offset) : `'${escapeQuotes(word.slice(0, offset))}`;
  return { text: shown.join(' '), column: before + start.length };
}

/** Longest excerpt in characters; of a longer line a part around the caret is shown. */
const longestExcerpt = 240;

/** The excerpt's two lines, each with two spaces before it; line breaks and tabs count as one column. */
export function renderExcerpt({ text, column }: Excerpt): string {
  const from = text.length <= longestExcerpt ? 0 : Math.max(0, column - longestExcerpt / 2);
  const part = text.slice(from, from + longestExcerpt).replaceAll(/\s/g, ' ');
  const [before, after] = [from > 0 ? '…' : '', from + longestExcerpt < text.length ? '…' : ''];
  return `  ${before}${part}${after}\n  ${' '.repeat(before.length + column - from)}^`;
}
