import { printable } from '../text/printable.ts';

/** A code span that holds any text: a fence longer than its backticks; a bar would end a cell of a table even here. */
export function codeSpan(text: string): string {
  const plain = printable(text);
  if (plain === '') return '';
  // Behind a backslash a bar cannot be kept from ending the cell.
  if (/\\\|/.test(plain)) return `<code>${entities(plain)}</code>`;
  const shown = plain.replaceAll('|', String.raw`\|`);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/**
 * A text on one line that stands for itself in a paragraph, a list or a cell. Nobody is called by an `@name` in it and no issue
 * by a `#1`: a comment of HTML parts them, which leaves nothing in what is shown or copied.
 */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replaceAll(/[\\`*_[\]<>|~$&]/g, (character) => `\\${character}`)
    .replaceAll(/@(?=\w)|#(?=\d)/g, (character) => `${character}<!-- -->`);
}

/** Every character that could mean something as a reference to itself. */
function entities(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0) ?? 0xfffd};`);
}
