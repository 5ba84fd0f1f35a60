import { type StudyTable } from '@deadheat/analysis';
import {
  pageStyle,
  pageStyleHash,
  plainTable,
  scrolled,
  html,
  Markup,
  standing,
  csvRows,
  formatStudyCell,
  studyCsv,
  printable,
} from '@deadheat/report';
import { figuresOf } from './study-figures.ts';
import { type Study, type StudyFigure } from './study.ts';
import { studyPicture } from './study-picture.ts';

/** A file of a study. */
export interface StudyFile {
  readonly name: string;
  readonly content: string;
}

/**
 * A study as files: one page with all tables and figures (`study.html`), each figure as SVG and its data as CSV, and each table as CSV
 * (`table-1.csv`, ...).
 *
 * @param recordings what the study was made of.
 */
export function renderStudyFiles(
  study: Study,
  { recordings }: { readonly recordings: readonly string[] },
): readonly StudyFile[] {
  const figures = figuresOf(study).map((figure) => ({ figure, picture: studyPicture(figure) }));
  return [
    { name: 'study.html', content: pageOf(study, { recordings, figures }) },
    ...figures.flatMap(({ figure, picture }) => [
      { name: `${figure.name}.svg`, content: standing(picture) },
      { name: `${figure.name}.csv`, content: figureCsv(figure) },
    ]),
    ...study.tables.map((table, place) => ({ name: `table-${place + 1}.csv`, content: studyCsv({ tables: [table] }) })),
  ];
}

/**
 * A row a value: its series, its place where it has one, and the value, of a range both ends; shares and ratios are plain numbers.
 * Vertical lines are series without values.
 */
function figureCsv({ series, value, unit, place, kind, marks = [] }: StudyFigure): string {
  const rows = series.flatMap(({ name, x, values, highs }) =>
    values.map((one, k) => [name, x?.[k] ?? null, one, ...(highs === undefined ? [] : [highs[k] ?? null])]),
  );
  const ends = kind === 'ranges' ? [`low ${value} [${unit}]`, `high ${value} [${unit}]`] : [`${value} [${unit}]`];
  const lines = marks.map(({ name, x }) => [name, x, ...ends.map(() => null)]);
  return csvRows([['series', place ?? 'place', ...ends], ...rows, ...lines]);
}

const policy = `default-src 'none'; style-src '${pageStyleHash}'; base-uri 'none'; form-action 'none'`;

function pageOf(
  { kind, tables }: Study,
  {
    recordings,
    figures,
  }: {
    readonly recordings: readonly string[];
    readonly figures: readonly { readonly figure: StudyFigure; readonly picture: string }[];
  },
): string {
  const title = `deadheat lab study: ${kind}`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${new Markup(`<style>${pageStyle}</style>`)}
      </head>
      <body>
        <header>
          <p class="brand">deadheat</p>
          <h1>${title}</h1>
          <p class="when">of ${listOf(recordings)}</p>
        </header>
        <main>
          <section aria-labelledby="figures-h">
            <h2 id="figures-h">Figures</h2>
            ${figures.length === 0 ? html`<p class="note">Nothing was measured that a figure shows.</p>` : null}
            <div class="figures">${figures.map(({ figure, picture }) => figureMarkup(figure, picture))}</div>
          </section>
          <section aria-labelledby="tables-h">
            <h2 id="tables-h">Tables</h2>
            ${tables.map((table, place) => tableMarkup(table, place))}
          </section>
        </main>
      </body>
    </html> `;
  return page.text;
}

/** Most names of recordings in the head of a page. */
const mostNamed = 4;

function listOf(recordings: readonly string[]): string {
  const named = recordings.slice(0, recordings.length > mostNamed + 1 ? mostNamed : undefined);
  const more = recordings.length - named.length;
  return [...named.map((one) => printable(one)), ...(more === 0 ? [] : [`and ${more} more`])].join(', ');
}

function figureMarkup({ name, title, source }: StudyFigure, picture: string): Markup {
  return html`<figure class="broad" id="${name}">
    <figcaption>
      <h3>${printable(title)}</h3>
      <p>${source}. Data: <code>${name}.csv</code></p>
    </figcaption>
    <div class="scroll">${new Markup(picture)}</div>
  </figure>`;
}

/** A table; leading words of a row that are those of the row above are read out, but not shown again. */
function tableMarkup({ title, source, columns, rows, notes }: StudyTable, place: number): Markup {
  const content = plainTable({
    caption: `${source}; table-${place + 1}.csv`,
    columns: columns.map(({ name, unit }) => (unit === 'text' ? name : [name, 'n'])),
    rows: rows.map((row, k) =>
      row.map((cell, at) => {
        const text = formatStudyCell(cell, columns[at]?.unit ?? 'text');
        const isRepeated = row.slice(0, at + 1).every((own, i) => typeof own === 'string' && own === rows[k - 1]?.[i]);
        return isRepeated ? html`<span class="sr">${text}</span>` : text;
      }),
    ),
  });
  return html`<h3>${printable(title)}</h3>
    ${scrolled(title, content)} ${notes.map((note) => html`<p class="note">${printable(note)}</p>`)}`;
}
