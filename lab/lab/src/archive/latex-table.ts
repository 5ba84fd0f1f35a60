import type { StudyTable } from '@deadheat/analysis';
import { formatStudyCell } from '@deadheat/report';

const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
  // An argument or a star of the end of the row above, where a cell begins with one.
  '[': '{[}',
  '*': '{*}',
};

/**
 * A text as pdflatex sets it with the font encoding T1: every character that LaTeX would read as a command is escaped, and one beyond those of western
 * languages stands as its number, `U+65E5`.
 */
export function latexText(text: string): string {
  return text
    .replaceAll(/[\\~^[*&%$#_{}]/g, (one) => escapes[one] ?? `\\${one}`)
    .replaceAll(/[^ -~\u00a1-\u017f\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac]/gu, (one) => {
      const code = one.codePointAt(0)!.toString(16).toUpperCase();
      return `U+${code.padStart(4, '0')}`;
    });
}

/** A document of the tables of a bundle by themselves. */
export const tablesDocument: string = String.raw`\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{booktabs}
\begin{document}
\scriptsize
\input{tables/results}
\end{document}
`;

/** Makes `tables.pdf`, and a PDF beside each figure. */
export const makefile: string = [
  'all:',
  '\tpdflatex -interaction=nonstopmode -halt-on-error tables.tex',
  '\tfor figure in figures/*/*.svg; do rsvg-convert -f pdf -o "$${figure%.svg}.pdf" "$$figure" || exit 1; done',
  '',
].join('\n');

/** A table for `\input`, with the rules of the package booktabs: words to the left, figures to the right, notes as a comment. */
export function latexTable({ title, columns, rows, notes }: StudyTable): string {
  const line = (cells: readonly string[]): string => `${cells.map(latexText).join(' & ')} \\\\`;
  return [
    ...notes.map((note) => `% ${note.replaceAll('\n', ' ')}`),
    String.raw`\begin{table}`,
    String.raw`\centering`,
    `\\caption{${latexText(title)}}`,
    `\\begin{tabular}{${columns.map(({ unit }) => (unit === 'text' ? 'l' : 'r')).join('')}}`,
    String.raw`\toprule`,
    line(columns.map(({ name }) => name)),
    String.raw`\midrule`,
    ...rows.map((row) => line(row.map((cell, place) => formatStudyCell(cell, columns[place]?.unit ?? 'text')))),
    String.raw`\bottomrule`,
    String.raw`\end{tabular}`,
    String.raw`\end{table}`,
    '',
  ].join('\n');
}
