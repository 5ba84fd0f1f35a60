import { cleanUpContainers, Versions, type CleanUpOptions, type FoundContainer } from '@deadheat/engine';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface CleanupRequest extends CleanUpOptions {
  /** Whether versions that are kept for the next time go too. */
  readonly versions: boolean;
}

/** `deadheat cleanup`. Returns the exit code. */
export async function runCleanup(request: CleanupRequest, terminal: Terminal): Promise<ExitCode> {
  const removed = request.remove ? 'removed' : 'abandoned';
  const folders = await new Versions().sweep({ everything: request.versions, dryRun: !request.remove });
  for (const folder of folders) terminal.stdout.write(`version ${folder}  ${removed}\n`);
  const found = await findContainers(request);
  if (found.length === 0) terminal.stdout.write('There are no containers of experiments.\n');
  for (const { engine, name, experiment, inUse } of found) {
    const what = inUse ? `in use by the experiment ${experiment}` : removed;
    terminal.stdout.write(`${engine} ${name}  ${what}\n`);
  }
  return exitCodes.done;
}

/** Without an engine there are no containers either, unless one is asked for. */
async function findContainers(request: CleanupRequest): Promise<readonly FoundContainer[]> {
  try {
    return await cleanUpContainers(request);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENGINE_MISSING';
    if (!isMissing || request.engine !== null) throw error;
    return [];
  }
}
