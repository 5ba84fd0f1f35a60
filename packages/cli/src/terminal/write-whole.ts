import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file so that a reader sees the old content or the whole new one. */
export function writeWhole(path: string, content: string): void {
  const temporary = `${path}.tmp`;
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
