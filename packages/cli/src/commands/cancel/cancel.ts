import { cancelExperiment } from '@deadheat/fleet';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** `deadheat cancel`. Returns the exit code. */
export async function cancel(
  { url, experiment }: { readonly url: string; readonly experiment: string },
  { env, stdout }: Terminal,
): Promise<ExitCode> {
  const { id, wasRunning } = await cancelExperiment(url, { experiment, variables: env });
  stdout.write(wasRunning ? `cancelled ${id}; what is in stays\n` : `${id} was over already\n`);
  return exitCodes.done;
}
