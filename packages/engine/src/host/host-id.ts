import { createHash } from 'node:crypto';
import { readText } from './read-text.ts';

const digits = 8;

/**
 * What a machine is called among several: its name and, where the system tells it, a few digits that are new with every boot.
 * Machines that were cloned with their names are told apart.
 */
export function hostId(hostname: string, root = '/'): string {
  const boot = readText(root, '/proc/sys/kernel/random/boot_id');
  if (boot === null) return hostname;
  return `${hostname}-${createHash('sha256').update(boot).digest('hex').slice(0, digits)}`;
}
