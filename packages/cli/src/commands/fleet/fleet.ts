import { initFleet, rolesSql } from '@deadheat/fleet';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import type { Terminal } from '../../terminal/terminal.ts';

/** `deadheat fleet init`. Returns the exit code. */
export async function initialiseFleet(
  { url, roles }: { readonly url: string; readonly roles: boolean },
  { env, stdout }: Terminal,
): Promise<ExitCode> {
  await initFleet(url, { roles, variables: env });
  const made = roles ? ' with the roles deadheat_submitter, deadheat_worker and deadheat_reader' : '';
  stdout.write(`${url} is a fleet${made}\n`);
  return exitCodes.done;
}

/** `deadheat fleet roles`. Returns the exit code. */
export async function printRoles({ stdout }: Terminal): Promise<ExitCode> {
  stdout.write(rolesSql);
  return exitCodes.done;
}
