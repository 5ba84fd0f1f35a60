import { freeEnvironment } from './git.ts';
import { quoteTail, runProgram } from './run-program.ts';
import { VersionError } from './version-error.ts';

/**
 * Carries a setup out by the shell.
 *
 * @throws VersionError `SETUP_FAILED` with the last lines of its output, `INTERRUPTED`
 */
export async function runSetup(
  command: string,
  { what, folder, signal }: { readonly what: string; readonly folder: string; readonly signal: AbortSignal },
): Promise<void> {
  const { status, tail } = await runProgram(['/bin/sh', '-c', command], {
    cwd: folder,
    environment: freeEnvironment(),
    signal,
  });
  if (signal.aborted) throw new VersionError('INTERRUPTED', 'interrupted');
  if (status === 0) return;
  const how = typeof status === 'number' ? `ended with status ${status}` : 'was ended by a signal';
  throw new VersionError('SETUP_FAILED', `${what} cannot be built: the setup ${command} ${how}${quoteTail(tail)}`);
}
