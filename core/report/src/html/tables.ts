import type { Comparison, Stability } from '@deadheat/model';
import { html, type Held, type Markup } from '../markup.ts';
import { hostRows, type Detail } from '../text/details.ts';
import { countOf } from '../text/numbers.ts';

/** A column of a table: its head, and the class of all its cells: `n` = numbers, `wide` = hidden where there is little room. */
type Column = string | readonly [name: Held, className: string];

interface TableContent {
  readonly caption: Held;
  /** The first one holds the heads of the rows. */
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Held[])[];
  readonly className?: string;
}

/** A table whose rows and columns have heads. */
export function plainTable({ caption, columns, rows, className = 'plain' }: TableContent): Markup {
  return html`<table class="${className}">
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((column) => (typeof column === 'string' ? html`<th scope="col">${column}</th>` : html`<th scope="col" class="${column[1]}">${column[0]}</th>`))}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([head = null, ...cells]) =>
          html`<tr>
            <th scope="row">${head}</th>
            ${cells.map((cell, at) => cellOf(cell, columns[at + 1]))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function cellOf(cell: Held, column: Column = ''): Markup {
  return typeof column === 'string' ? html`<td>${cell}</td>` : html`<td class="${column[1]}">${cell}</td>`;
}

/** Columns of numbers. */
export function numberColumns(names: readonly string[]): readonly Column[] {
  return names.map((name) => [name, 'n']);
}

/** Content that scrolls by itself where it is wider than the page. */
export function scrolled(label: string, content: Markup): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">${content}</div>`;
}

/** A list of names and their values. */
export function facts(list: readonly (readonly [name: string, value: Held])[]): Markup {
  return html`<dl class="facts">
    ${list.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The table of {@link facts}, of details. */
export function detailList(details: readonly Detail[]): Markup {
  return facts(details.map(({ label, text }) => [label, text]));
}

/** The ratio and the times on each machine; `null` where there is one. */
export function hostTable({ hosts }: Pick<Comparison, 'hosts'>): Markup | null {
  if (hosts === undefined) return null;
  const rows = hostRows(hosts).map(({ host, runs, ratio, interval, A, B }) => [host, runs, ratio, interval, A, B]);
  const columns = ['Host', ...numberColumns(['Runs', 'B / A', 'Interval', 'Mean of A', 'Mean of B'])];
  return scrolled('Hosts', plainTable({ caption: 'Each host by itself', columns, rows }));
}

/** Largest number of runs in a table; further runs are only in the recording. */
export const mostRuns = 200;

/** The end of the warm-up of every run with the values of the criteria; `null` when the warm-up was fixed. */
export function stabilityTable({ stability }: Pick<Comparison, 'stability'>): Markup | null {
  if (stability === null || stability.runs.length === 0) return null;
  const { runs, overRuns } = stability;
  const together =
    overRuns === null
      ? ''
      : `; over ${countOf(overRuns.runs, 'run')} together: ${overRuns.stable ? 'stable' : 'not stable'} (${checksText(overRuns.checks)})`;
  const table = plainTable({
    caption: `Decisions of dynamic reconfiguration${together}`,
    columns: ['Run', ...numberColumns(['Decided after', 'Warm-up iterations']), 'Stable', 'Criteria'],
    rows: runs
      .slice(0, mostRuns)
      .map(({ run, decidedAfter, warmup, stable, checks }) => [
        run + 1,
        decidedAfter,
        warmup,
        stable ? 'yes' : 'no, the cap was reached',
        checksText(checks),
      ]),
  });
  return html`<details>
    <summary>Where warm-up ended, and why</summary>
    ${scrolled('Warm-up of the runs', table)}
  </details>`;
}

function checksText(checks: Stability['runs'][number]['checks']): string {
  return checks
    .map(({ side, criterion, stable, value, threshold }) => {
      const found = value === null ? 'too few values' : `${value.toPrecision(3)} against ${threshold}`;
      return `${side} ${criterion} ${found}${stable ? '' : ', not stable'}`;
    })
    .join('; ');
}
