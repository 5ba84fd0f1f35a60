import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** The id of the worker whose folder this is; drawn when it is first asked for, and the same ever after. */
export function workerIdentity(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'worker-id');
  try {
    const known = readFileSync(path, 'utf8').trim();
    if (/^[\w-]{1,60}$/.test(known)) return known;
  } catch {
    // It is drawn below.
  }
  const id = `${hostname()
    .replaceAll(/[^\w-]/g, '-')
    .slice(0, 40)}-${randomBytes(3).toString('hex')}`;
  writeFileSync(path, `${id}\n`);
  return id;
}
