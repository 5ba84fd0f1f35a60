import { printable } from '../text/printable.ts';

/**
 * A code span that holds any text: a fence longer than its backticks; a bar is escaped, because it would end a table
 * cell even in a code span.
 */
export function codeSpan(text: string): string {
  const plain = printable(text);
  if (plain === '') return '';
  // A bar after a backslash cannot be escaped in a code span of a table.
  if (/\\\|/.test(plain)) return `<code>${entities(plain)}</code>`;
  const shown = plain.replaceAll('|', String.raw`\|`);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/**
 * Escapes a text on one line for a paragraph, a list or a table cell. An `@name` or `#1` in it notifies nobody and
 * links to no issue, because an empty HTML comment separates its characters, which is not visible in the shown or
 * copied text.
 */
export function escapeMarkdown(text: string): string {
  return printable(text)
    .replaceAll(/[\\`*_[\]<>|~$&]/g, (character) => `\\${character}`)
    .replaceAll(/@(?=\w)|#(?=\d)/g, (character) => `${character}<!-- -->`);
}

/** Replaces every character with a possible meaning by its character reference. */
function entities(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0) ?? 0xfffd};`);
}

/** The head of a table in GitHub's Markdown, two lines. */
export function tableHead(cells: readonly string[]): string {
  return tableRow(cells) + tableRow(cells.map(() => '---'));
}

/** A row of a table; cells hold no bar that is not escaped and no line break. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}
