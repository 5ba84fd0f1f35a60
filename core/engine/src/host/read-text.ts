import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The trimmed text of a file below `root`, or `null` when it is missing, unreadable or empty. Never throws: a kernel
 * that does not report a fact is the normal case, not an error.
 */
export function readText(root: string, path: string): string | null {
  try {
    const text = readFileSync(join(root, path), 'utf8').trim();
    return text === '' ? null : text;
  } catch {
    return null;
  }
}

/** The decimal integer that a file below `root` holds alone, or `null` when it holds anything else or cannot be read. */
export function readInteger(root: string, path: string): number | null {
  const text = readText(root, path);
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}
