import type { RawOutputOptions } from './raw-options.ts';

/** Options of where results go and what they do to the exit code, as commander names them; none changes what is measured or judged. */
export const outputKeys: readonly Exclude<keyof RawOutputOptions, 'correction'>[] = [
  'export',
  'exportJson',
  'exportCsv',
  'exportMarkdown',
  'exportSummary',
  'exportJunit',
  'noSummary',
  'style',
  'failOn',
  'strict',
];

/** The flag that asks for an export, by its key. */
export function exportFlag(key: string): string {
  return key.startsWith('format:') ? `--export ${key.slice('format:'.length)}` : `--export-${key}`;
}
