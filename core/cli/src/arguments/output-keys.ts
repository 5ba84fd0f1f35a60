import type { RawOutputOptions } from './raw-options.ts';

/** Options of where results go and what they do to the exit code, as commander names them; none changes what is measured or judged. */
export const outputKeys: readonly Exclude<keyof RawOutputOptions, 'correction'>[] = [
  'export',
  'exportJson',
  'exportCsv',
  'exportMarkdown',
  'exportSummary',
  'exportJunit',
  'exportAsciidoc',
  'exportOrgmode',
  'noSummary',
  'details',
  'sort',
  'timeUnit',
  'style',
  'failOn',
  'strict',
];

const named = 'format:';

/** The flag that asks for an export, by its key in `Exports`. */
export function exportFlag(key: string): string {
  return key.startsWith(named) ? `--export ${key.slice(named.length)}` : `--export-${key}`;
}

/** The name of the format of an export, by its key. */
export function formatName(key: string): string {
  if (key.startsWith(named)) return key.slice(named.length);
  return key === 'csv' ? 'sides-csv' : key;
}

/** The key of the export of a format: one with a flag of its own has that flag's. */
export function exportKey(format: string): string {
  const flagged = ['json', 'csv', 'markdown', 'summary', 'junit'].find((key) => formatName(key) === format);
  return flagged ?? `${named}${format}`;
}
