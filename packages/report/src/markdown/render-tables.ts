import type { Report } from '@deadheat/model';
import { tableHead, tableRow } from './markdown-table.ts';
import { sideHead, sideRows } from './side-rows.ts';
import { verdictHead, verdictRow } from './verdict-row.ts';
import { warningItems } from './warning-items.ts';

/** Tables of everything, however long: a row for each comparison, a row for each side, the warnings as a list. */
export function renderTables(report: Report): string {
  const { comparisons } = report;
  const parts = [
    tableHead(verdictHead) + comparisons.map((comparison) => tableRow(verdictRow(comparison))).join(''),
    tableHead(sideHead) + comparisons.flatMap((comparison) => sideRows(comparison).map(tableRow)).join(''),
    warningItems(report).join(''),
  ];
  return parts.filter((part) => part !== '').join('\n');
}
