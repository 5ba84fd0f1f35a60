import type { Report } from '@deadheat/model';

/** The report as JSON, two spaces an indent, with a line break at the end. */
export function toJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
