import { readFileSync } from 'node:fs';
import { parentOf } from '@deadheat/sync';

/**
 * Watches the processes between this one and npx, both included: npx starts a command through a shell that may stay
 * between them, and that lives on when npx is killed.
 *
 * @returns tells whether npx is gone; `null` when npx did not start this process
 */
export function watchNpx(environment: Readonly<Record<string, string | undefined>>): (() => boolean) | null {
  if (environment['npm_command'] !== 'exec') return null;
  const parent = process.ppid;
  const grandparent = isShellWithCommand(parent) ? parentOf(parent) : null;
  return () => process.ppid !== parent || (grandparent !== null && parentOf(parent) !== grandparent);
}

/** Whether a process is a shell that executes a command line: `sh -c …`. */
function isShellWithCommand(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[1] === '-c';
  } catch {
    return false;
  }
}
