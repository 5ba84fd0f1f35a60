import { flagOf } from './flag-of.ts';
import type { RawOutputOptions } from './raw-options.ts';

const allowed: ReadonlySet<string> = new Set<keyof RawOutputOptions | 'resume'>([
  'resume',
  'exportJson',
  'exportCsv',
  'exportMarkdown',
  'exportSummary',
  'exportJunit',
  'noSummary',
  'style',
  'failOn',
  'strict',
]);

/**
 * The flag, among options as commander hands them over, that would change an experiment which `--resume` is to finish as
 * it was planned; `null` = there is none.
 */
export function changedByResume(options: object): string | null {
  const other = Object.keys(options).find((key) => !allowed.has(key));
  return other === undefined ? null : flagOf(other);
}
