import type { Comparison, Stability } from '@deadheat/model';
import { hostRows } from '../text/host-details.ts';
import { html, type Markup } from '../markup.ts';
import { countOf } from '../text/numbers.ts';

/** The ratio and the times on each machine; `null` where there is one. */
export function hostTable({ hosts }: Pick<Comparison, 'hosts'>): Markup | null {
  if (hosts === undefined) return null;
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Hosts">
    <table class="plain">
      <caption>
        Each host by itself
      </caption>
      <thead>
        <tr>
          <th scope="col">Host</th>
          ${['Runs', 'B / A', 'Interval', 'Mean of A', 'Mean of B'].map((head) => html`<th scope="col" class="n">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${hostRows(hosts).map(
          ({ host, runs, ratio, interval, A, B }) =>
            html`<tr>
              <th scope="row">${host}</th>
              ${[runs, ratio, interval, A, B].map((text) => html`<td class="n">${text}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Largest number of runs in the table; further runs are only in the recording. */
const mostRuns = 200;

/** The end of the warm-up of every run with the values of the criteria; `null` when the warm-up was fixed. */
export function stabilityTable({ stability }: Pick<Comparison, 'stability'>): Markup | null {
  if (stability === null || stability.runs.length === 0) return null;
  const { runs, overRuns } = stability;
  return html`<details>
    <summary>Where warm-up ended, and why</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="Warm-up of the runs">
      <table class="plain">
        <caption>
          Decisions of dynamic
          reconfiguration${overRuns === null ? '' : `; over ${countOf(overRuns.runs, 'run')} together: ${overRuns.stable ? 'stable' : 'not stable'} (${checksText(overRuns.checks)})`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col" class="n">Decided after</th>
            <th scope="col" class="n">Warm-up iterations</th>
            <th scope="col">Stable</th>
            <th scope="col">Criteria</th>
          </tr>
        </thead>
        <tbody>
          ${runs.slice(0, mostRuns).map(
            ({ run, decidedAfter, warmup, stable, checks }) =>
              html`<tr>
                <th scope="row">${run + 1}</th>
                <td class="n">${decidedAfter}</td>
                <td class="n">${warmup}</td>
                <td>${stable ? 'yes' : 'no, the cap was reached'}</td>
                <td>${checksText(checks)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
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
