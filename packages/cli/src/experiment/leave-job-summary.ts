import { appendFileSync, statSync } from 'node:fs';
import type { Terminal } from '../terminal/terminal.ts';

/** GitHub drops the whole summary of a step that is longer. */
const mostBytes = 2 ** 20;

/**
 * Appends a summary to the file that `GITHUB_STEP_SUMMARY` names, which GitHub shows with the job, and says so; nothing where it is
 * not set. A file that cannot be written is told and changes nothing else.
 */
export function leaveJobSummary(summary: string, { stderr, env }: Pick<Terminal, 'stderr' | 'env'>): void {
  const path = env['GITHUB_STEP_SUMMARY'] ?? '';
  if (path === '') return;
  try {
    const before = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (before + Buffer.byteLength(summary) + 1 > mostBytes) {
      stderr.write(
        `deadheat: the summary of the job has ${before} bytes already: GitHub would drop it with this one, which is left out\n`,
      );
      return;
    }
    appendFileSync(path, `${summary}\n`);
    stderr.write('deadheat: the result stands in the summary of the job too (--no-summary leaves it out)\n');
  } catch (error) {
    stderr.write(`deadheat: the summary of the job cannot be written: ${(error as Error).message}\n`);
  }
}
