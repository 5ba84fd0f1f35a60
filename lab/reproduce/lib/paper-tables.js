// Printed tables of the papers as data: `node lab/reproduce/lib/paper-tables.js FOLDER` reads the papers' texts in FOLDER and writes
// lab/reproduce/papers/PAPER.json, from which the scripts quote.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The papers, and their texts. */
export const papers = {
  icpe20: 'duet-benchmarking-icpe20.md',
  fse20: 'dynamic-reconfiguration-fse20.md',
  thesis23: 'asynchronous-duet-thesis23.md',
  oopsla26: 'no-steady-performance-oopsla26.md',
};

const folder = join(import.meta.dirname, '../papers');
const caption = /^Table (\d+(?:\.\d+)?)[.: ]/;
/** Distance of a caption from its table, lines. */
const nearby = 3;

/**
 * Tables of a text: rows of cells that tabs separate, by the number in the caption above them or else below. A table without a caption has
 * the number of its section's heading.
 */
export function tablesOf(text) {
  const lines = text.split('\n').map((line) => line.replace(/<\/?i>/g, ''));
  const tables = {};
  let section = '';
  for (let from = 0; from < lines.length; from++) {
    section = /^#* ?(\d+(?:\.\d+)+) /.exec(lines[from])?.[1] ?? section;
    if (!lines[from].includes('\t')) continue;
    let to = from;
    while (lines[to]?.includes('\t')) to++;
    const around = [...lines.slice(Math.max(0, from - nearby), from).toReversed(), ...lines.slice(to, to + nearby)];
    const number = around.map((line) => caption.exec(line)?.[1]).find((one) => one !== undefined);
    let name = number === undefined ? `section ${section}` : `Table ${number}`;
    for (let count = 2; name in tables; count++) name = `${name.replace(/ \(\d+\)$/, '')} (${count})`;
    if (to - from > 1 && (number !== undefined || from > lines.length / 4)) {
      tables[name] = lines.slice(from, to).map((line) => line.split('\t').map((cell) => cell.trim()));
    }
    from = to;
  }
  return tables;
}

/** Rows of a printed table. */
export function printed(paper, table) {
  const rows = JSON.parse(readFileSync(join(folder, `${paper}.json`), 'utf8'))[table];
  if (rows === undefined) throw new Error(`lab/reproduce/papers/${paper}.json has no ${table}`);
  return rows;
}

/** Number at the beginning of a printed cell; NaN where there is none. */
export function numberOf(cell) {
  return Number.parseFloat(cell.replace(/^\(?[×~]?/, ''));
}

/** The cells behind a row's name, as the scripts print them: `78.8 %, 87.6 %`. */
export function quoted(paper, table, name) {
  const row = printed(paper, table).find(([first]) => first === name);
  if (row === undefined) throw new Error(`${table} of ${paper} has no row ${name}`);
  return row
    .slice(1)
    .map((cell) =>
      cell
        .replace(/ \\pm.*$/, '')
        .replace(/^.*\((.*)\)$/, '$1')
        .replace(/%$/, ' %'),
    )
    .join(', ');
}

/** Numbers of a column of a printed table, from 0, in rows that have one. */
export function columnOf(paper, table, column) {
  return printed(paper, table)
    .map((row) => numberOf(row[column] ?? ''))
    .filter((value) => !Number.isNaN(value));
}

if (process.argv[1] === import.meta.filename) {
  const texts = process.argv[2];
  if (texts === undefined || !existsSync(texts)) {
    console.error('name the folder with the texts of the papers');
    process.exitCode = 2;
  } else {
    for (const [paper, file] of Object.entries(papers)) {
      const tables = tablesOf(readFileSync(join(texts, file), 'utf8'));
      const rows = Object.entries(tables).map(
        ([name, all]) =>
          `  ${JSON.stringify(name)}: [\n${all.map((row) => `    ${JSON.stringify(row)}`).join(',\n')}\n  ]`,
      );
      writeFileSync(join(folder, `${paper}.json`), `{\n${rows.join(',\n')}\n}\n`);
    }
  }
}
