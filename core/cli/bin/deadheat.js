#!/usr/bin/env node
import { existsSync, readFileSync, statSync } from 'node:fs';

await import(hasCurrentBundle() ? '../bundle/command.js' : '../dist/command.js').catch((error) => {
  // The published command has a sentence of its own.
  if (process.listenerCount('uncaughtException') > 0) throw error;
  process.stderr.write(
    `deadheat: it could not go on: ${error.message}\nCheck the limits (ulimit -a), and build it again (npm run build).\n`,
  );
  process.exit(4);
});

/**
 * Whether the command can be started from the few files of `scripts/bundle.js`: always where it is installed; in the repository when
 * nothing was built or installed after them.
 */
function hasCurrentBundle() {
  const folder = new URL('../bundle/', import.meta.url);
  if (!existsSync(new URL('../src/', import.meta.url))) return existsSync(new URL('command.js', folder));
  try {
    const inputs = JSON.parse(readFileSync(new URL('inputs.json', folder), 'utf8'));
    return inputs.every(([path, mtimeMs]) => statSync(new URL(path, folder)).mtimeMs === mtimeMs);
  } catch {
    return false;
  }
}
