/** The head of a table in GitHub's Markdown, two lines. */
export function tableHead(cells: readonly string[]): string {
  return tableRow(cells) + tableRow(cells.map(() => '---'));
}

/** A row of a table; cells hold no bar that is not escaped and no line break. */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}
