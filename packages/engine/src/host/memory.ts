import { totalmem } from 'node:os';
import { readText } from './read-text.ts';

/** The machine's memory in bytes. What is available without swapping is `null` where the kernel does not tell. */
export function readMemory(root = '/'): { readonly totalBytes: number; readonly availableBytes: number | null } {
  const meminfo = readText(root, '/proc/meminfo') ?? '';
  return {
    totalBytes: bytesOf(meminfo, 'MemTotal') ?? totalmem(),
    availableBytes: bytesOf(meminfo, 'MemAvailable'),
  };
}

/** meminfo says kB and means 1024 bytes. */
function bytesOf(meminfo: string, key: string): number | null {
  const match = new RegExp(`^${key}:\\s+(\\d+) kB$`, 'm').exec(meminfo);
  return match === null ? null : Number(match[1]) * 1024;
}
