import type { StudyTable } from '@deadheat/analysis';
import { formatStudyCell } from '@deadheat/report';

const escapes: Readonly<Record<string, string>> = {
  '\\': String.raw`\textbackslash{}`,
  '~': String.raw`\textasciitilde{}`,
  '^': String.raw`\textasciicircum{}`,
};

/** A text as LaTeX sets it, with every character that LaTeX would read as a command escaped. */
export function latexText(text: string): string {
  return text.replaceAll(/[\\~^&%$#_{}]/g, (one) => escapes[one] ?? `\\${one}`);
}

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
