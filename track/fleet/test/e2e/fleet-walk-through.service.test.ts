import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { whyNoPostgres } from '../../../../bench/lib/postgres.js';
import { noDuets, Running } from '../../../../core/cli/test/e2e/support.ts';

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
if (why !== null) console.warn(`the walk-throughs of docs/fleet.md and docs/watch.md are skipped: ${why}`);

describe.skipIf(why !== null)('what can be typed as it stands', () => {
  async function typed(page: string): Promise<string> {
    const typing = spawn(join(root, 'scripts/fleet-walk-through.sh'), [page], {
      env: { ...process.env, DEADHEAT_JS: inject('bundledCommand'), GITHUB_STEP_SUMMARY: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { status, stdout, stderr } = await new Running(typing).ended;
    expect(status, `${stdout}\n${stderr}`).toBe(0);
    return stdout.replaceAll(/\s+/g, ' ');
  }

  it('is the walk-through of docs/fleet.md', async () => {
    const shown = await typed('fleet');
    expect(shown).toContain('is a fleet with the roles deadheat_submitter, deadheat_worker and deadheat_reader');
    expect(shown.match(/ host \S+-[0-9a-f]{6}: /g)?.length).toBeGreaterThanOrEqual(2);
    expect(shown).toMatch(/pushed numbers \([0-9a-f]{16}\), 8 runs/);
    // The newest is what was left to the workers and gathered from them.
    expect(shown).toContain('numbers: compress, sequential: 1 comparison');
    expect(shown).toMatch(/place=desk-1 place=desk-2|place=desk-2 place=desk-1/);
    expect(shown).toMatch(/"benchmark":"compress"/);
    expect(shown).toMatch(/cancelled [0-9a-f]{16}; what is in stays/);
  });

  it('is that of docs/watch.md: a collector, two changes, an alert, an issue, a decision and a canary', async () => {
    const shown = await typed('watch');
    expect(shown).toMatch(/here: nothing new board: nothing new .* here: 1 event sent board: 1 issue opened/);
    expect(shown).toContain('"subject":"deadheat: slower +');
    expect(shown).toMatch(/first commit with it \| [0-9a-f]{40}, count ten times as far, me/);
    expect(shown).toMatch(/here: 1 event sent board: 1 issue closed/);
    expect(shown).toMatch(/state: closed Closed: the level returned with `[0-9a-f]{7,}`/);
    expect(shown).toMatch(/"state":"expected","ticket":(null|""),"note":"counts ten times as far"/);
    expect(shown).toContain('canary: integer host=');
  });
});
