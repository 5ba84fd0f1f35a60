import { readText } from './read-text.ts';

/** The decimal integer that a file below `root` holds alone, or `null` when it holds anything else or cannot be read. */
export function readInteger(root: string, path: string): number | null {
  const text = readText(root, path);
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}
