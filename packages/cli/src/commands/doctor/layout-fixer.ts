import { spawnSync } from 'node:child_process';
import { machine } from 'node:os';
import { findExecutable } from 'deadheat/internals';

/**
 * Program and arguments that start a command without address space layout randomisation, which takes no root: setarch(8).
 * `null` where there is none, or where it is forbidden, as by the system call filter of many containers.
 */
export function layoutFixer(variables: Readonly<Record<string, string | undefined>>): readonly string[] | null {
  const located = findExecutable('setarch', { path: variables['PATH'] ?? '', cwd: process.cwd() });
  if (located.kind !== 'found') return null;
  const options = [machine(), '-R'];
  const { status } = spawnSync(located.path, [...options, process.execPath, '-e', ''], { stdio: 'ignore' });
  return status === 0 ? [located.path, ...options] : null;
}
