import { printable } from '../text/printable.ts';
import { codeSpan, escapeMarkdown, tableHead, tableRow } from './markdown-text.ts';

/** How a language of marked-up text writes tables and lists; every text may hold anything. */
export interface Dialect {
  readonly code: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly text: (text: string) => string;
  /** Of cells that are written in this dialect. */
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
