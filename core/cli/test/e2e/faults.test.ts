import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom } from '@deadheat/stats';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { buildFaults, Sweep } from '../../../../bench/lib/faults.js';
import { noDuets } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'deadheat-faults-'));
const library = noDuets === null ? buildFaults(folder) : null;
if (library === null) console.warn(`faults of the C library are skipped: ${noDuets ?? 'there is no gcc'}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const random = createRandom('faults');

/** Work, class of calls, error; `all` = all calls from one on fail. A number is the call, else a random one does. */
const sweeps = [
  ['turns', 'write', 'ENOSPC', 'once'],
  ['turns', 'sync', 'EIO', 'all'],
  ['duet', 'open', 'EMFILE', 'once'],
  ['tandem', 'pipe', 'EMFILE', 'all', 8],
  ['tandem', 'pipe', 'EMFILE', 'once', 9],
  ['harness', 'write', 'EIO', 'once'],
  ['export', 'rename', 'ENOSPC', 'once'],
  ['push', 'mkdir', 'ENOSPC', 'once'],
] as const;

// Every class, error and position: npm run bench -- faults.
describe.skipIf(library === null)('a call of the C library that fails', () => {
  it.each(sweeps)(
    'leaves what the next start completes: %s, %s, %s, %s',
    async (work, call, error, how, at?: number) => {
      const more = { library: library ?? '', command: [process.execPath, inject('bundledCommand')] };
      const { counts, state } = await Sweep.count(work, more);
      expect(counts[call]).toBeGreaterThan(0);
      const sweep = new Sweep({ work, call, error, isOn: how === 'all', ...more });
      const found = await sweep.fault(at ?? 1 + random.int(counts[call] ?? 1), state);
      expect(found.hits).toBeGreaterThan(0);
      expect(found.wrong, found.log + found.nextLog).toEqual([]);
    },
  );
});
