import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { whyNoPostgres } from '../../../../bench/lib/postgres.js';
import { noDuets, Running } from './support.ts';

const root = join(import.meta.dirname, '../../../..');

function whyNot(): string | null {
  if (process.getuid?.() !== 0) return 'a machine as good as fresh needs root';
  const isolated = spawnSync('unshare', [
    '--net',
    '--mount',
    '--pid',
    '--fork',
    '--mount-proc',
    'ip',
    'link',
    'set',
    'lo',
    'up',
  ]);
  if (isolated.status !== 0) return 'networks and mounts of its own cannot be made here';
  const missing = ['curl', 'git', 'openssl', 'psql'].find((tool) => spawnSync(tool, ['--version']).error !== undefined);
  if (missing !== undefined) return `there is no ${missing} here`;
  return whyNoPostgres() ?? noDuets;
}

const why = whyNot();
if (why !== null) console.warn(`the walk-through of docs/fleet.md is skipped: ${why}`);

describe.skipIf(why !== null)('the walk-through of docs/fleet.md', () => {
  it('can be typed as it stands', async () => {
    const typing = spawn(join(root, 'scripts/fleet-walk-through.sh'), {
      env: { ...process.env, DEADHEAT_JS: inject('bundledCommand'), GITHUB_STEP_SUMMARY: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { status, stdout, stderr } = await new Running(typing).ended;
    expect(status, `${stdout}\n${stderr}`).toBe(0);
    const shown = stdout.replaceAll(/\s+/g, ' ');
    expect(shown).toContain('is a fleet with the roles deadheat_submitter, deadheat_worker and deadheat_reader');
    // Two workers on one machine disturb each other's pilot runs.
    const method = /8 runs on 2 hosts, (tandem|sync-duet)/.exec(shown)?.[1] ?? 'no method';
    expect(shown.match(/ host \S+-[0-9a-f]{6}: /g)?.length).toBeGreaterThanOrEqual(2);
    expect(shown).toMatch(/8 runs on 2 hosts, sequential/);
    expect(shown).toMatch(/pushed numbers \([0-9a-f]{16}\), 8 runs/);
    expect(shown).toContain(`numbers: compress, ${method}: 1 comparison`);
    expect(shown).toMatch(/place=desk-1 place=desk-2|place=desk-2 place=desk-1/);
    expect(shown).toMatch(/"benchmark":"compress"/);
    expect(shown).toMatch(/cancelled [0-9a-f]{16}; what is in stays/);
  });
});
