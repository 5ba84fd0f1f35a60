import { flagOf } from './flag-of.ts';
import { outputKeys } from './output-keys.ts';

const allowed: ReadonlySet<string> = new Set<string>(['resume', 'allowPlaintext', 'sbatch', ...outputKeys]);

/**
 * The flag, among options as commander hands them over, that would change an experiment which `--resume` is to finish as
 * it was planned; `null` = there is none.
 */
export function changedByResume(options: object): string | null {
  const other = Object.keys(options).find((key) => !allowed.has(key));
  return other === undefined ? null : flagOf(other);
}
