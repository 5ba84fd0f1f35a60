import type { Report } from '@deadheat/model';
import { benchmarkName } from '../text/printable.ts';
import { hostRows } from '../text/host-details.ts';
import { tableHead, tableRow, codeSpan } from './markdown-text.ts';
import { sideHead, sideRows, verdictHead, verdictRow } from './rows.ts';
import { warningItems } from './render-summary.ts';

/**
 * Tables of a whole report without a limit of length: a row for each comparison, a row for each side, the warnings as a
 * list.
 */
export function renderTables(report: Report): string {
  const { comparisons } = report;
  const parts = [
    tableHead(verdictHead) + comparisons.map((comparison) => tableRow(verdictRow(comparison))).join(''),
    tableHead(sideHead) + comparisons.flatMap((comparison) => sideRows(comparison).map(tableRow)).join(''),
    hostTables(report),
    warningItems(report).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

/** The machines of every comparison that was measured on several. */
function hostTables({ comparisons }: Report): string {
  const rows = comparisons.flatMap(({ benchmark, params, hosts }) =>
    hosts === undefined
      ? []
      : hostRows(hosts).map(({ host, runs, ratio, interval, A, B }) =>
          tableRow([
            codeSpan(benchmarkName({ benchmark, params })),
            codeSpan(host),
            String(runs),
            ratio,
            interval,
            A,
            B,
          ]),
        ),
  );
  if (rows.length === 0) return '';
  return tableHead(['Benchmark', 'Host', 'Runs', 'B / A', 'Interval', 'Mean of A', 'Mean of B']) + rows.join('');
}
