import type { Comparison } from '@deadheat/model';
import { hostRows } from '../text/host-details.ts';
import { html, type Markup } from './markup.ts';

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
