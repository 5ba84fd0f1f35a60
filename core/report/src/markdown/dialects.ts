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

/** Tables and lists in a language of marked-up text; every text may hold anything. */
export interface Dialect {
  readonly code: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly text: (text: string) => string;
  /** Table of cells that are written in this dialect. */
  readonly table: (head: readonly string[], rows: readonly (readonly string[])[]) => string;
  readonly list: (items: readonly string[]) => string;
}

/** GitHub's Markdown. */
export const markdownDialect: Dialect = {
  code: codeSpan,
  strong: (text) => `**${escapeMarkdown(text)}**`,
  text: escapeMarkdown,
  table: (head, rows) => tableHead(head) + rows.map((row) => tableRow(row)).join(''),
  list: (items) => items.map((item) => `- ${item}\n`).join(''),
};

/** Characters that mean nothing in AsciiDoc wherever they stand; a plus sign alone has an attribute. */
const plainInAsciidoc = /^[\p{L}\p{N} .,:;%…()+/-]*$/u;

function asciidocText(text: string): string {
  const shown = printable(text);
  if (plainInAsciidoc.test(shown)) return shown.replaceAll('+', '{plus}');
  return `pass:c[${shown.replaceAll(']', String.raw`\]`).replaceAll('|', String.raw`\|`)}]`;
}

/** AsciiDoc, a cell a line, so that nothing before a bar is read as the format of a cell. */
export const asciidocDialect: Dialect = {
  code: (text) => (text === '' ? '' : `\`\`${asciidocText(text)}\`\``),
  strong: (text) => `*${asciidocText(text)}*`,
  text: asciidocText,
  table: (head, rows) =>
    `[options="header"]\n|===\n${[head, ...rows].map((row) => row.map((cell) => `| ${cell}\n`).join('')).join('\n')}|===\n`,
  list: (items) => items.map((item) => `* ${item}\n`).join(''),
};

function orgText(text: string): string {
  return printable(text).replaceAll('|', String.raw`\vert{}`);
}

/** Emacs' Org mode. */
export const orgDialect: Dialect = {
  code: (text) => {
    const shown = printable(text);
    const mark = ['~', '='].find((one) => !shown.includes(one) && !shown.includes('|'));
    return mark === undefined || shown === '' ? orgText(text) : `${mark}${shown}${mark}`;
  },
  strong: (text) => `*${orgText(text)}*`,
  text: orgText,
  table: (head, rows) => {
    return `${tableRow(head)}|${head.map(() => '---').join('+')}|\n${rows.map((row) => tableRow(row)).join('')}`;
  },
  list: (items) => items.map((item) => `- ${item}\n`).join(''),
};
