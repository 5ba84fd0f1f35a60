import { totalmem } from 'node:os';
import type { GuestRules } from '@deadheat/engine';

/** Variables without which many programs do not work, and which tell nothing that is secret. */
const harmless = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|DEADHEAT_\w+)$/;

/** Names of variables that hold passwords, tokens or keys, or lead to them. */
const secret = /^PG|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY/i;

/** Checks whether a variable has a name under which it is given to nobody's programs, also where the owner of the worker names it. */
export function isSecretVariable(name: string): boolean {
  return secret.test(name);
}

/**
 * The part of a worker's environment that programs which others submit inherit.
 *
 * @param allowed names of variables that the owner of the worker lets them have beside the usual ones
 */
export function guestEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[],
): NodeJS.ProcessEnv {
  const names = Object.keys(variables).filter((name) => harmless.test(name) || allowed.includes(name));
  return Object.fromEntries(names.filter((name) => !isSecretVariable(name)).map((name) => [name, variables[name]]));
}

/** Both sides run at the same time, and the machine needs a little for itself. */
const memoryShare = 0.4;
/** Java with a pool of threads for each of many cores stays far below it. */
const usualProcesses = 4096;

/** Limits of a worker's containers where its owner sets none. */
export function confinementOf(own: Partial<GuestRules['confinement']>): GuestRules['confinement'] {
  const available = process.constrainedMemory() > 0 ? Math.min(totalmem(), process.constrainedMemory()) : totalmem();
  return { memoryBytes: Math.floor(available * memoryShare), processes: usualProcesses, ...own };
}
