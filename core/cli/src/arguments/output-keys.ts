import type { RawOutputOptions } from './raw-options.ts';

/** Options of where results go and what they do to the exit code, as commander names them; none changes what is measured or judged. */
export const outputKeys: readonly Exclude<keyof RawOutputOptions, 'correction' | 'exportJson' | 'exportCsv'>[] = [
  'export',
  'noSummary',
  'details',
  'sort',
  'timeUnit',
  'style',
  'failOn',
  'strict',
];
