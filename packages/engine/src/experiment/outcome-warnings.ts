import { sides, type Warning } from '@deadheat/model';
import type { RunOutcome } from '../run/index.ts';

/** Standard error is kept in memory while a program runs; from here on that is worth knowing. */
const largeBytes = 16 * 1024 * 1024;

/** What a run that counts did besides its work. The same for every run that does it, so that it can be told once. */
export function outcomeWarnings({ sides: outcomes, failures }: RunOutcome): readonly Warning[] {
  if (failures.length > 0) return [];
  const warnings: Warning[] = [];
  for (const side of sides) {
    const { strays, stderrBytes } = outcomes[side];
    if (strays > 0) {
      warnings.push({
        code: 'STRAY_PROCESSES',
        message:
          `${side} left processes running behind it, which were ended (--ignore-failure let the run count). While they ` +
          'lived they took time from the sides; have the command wait for them.',
      });
    }
    if (stderrBytes > largeBytes) {
      warnings.push({
        code: 'STDERR_LARGE',
        message:
          `${side} writes more than 16 MiB to standard error in an execution, which is kept in memory until it ends and is ` +
          'part of its time. Redirect it if that is not meant to be measured: 2> /dev/null.',
      });
    }
  }
  return warnings;
}
