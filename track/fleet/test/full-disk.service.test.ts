import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { initFleet } from './fleet-index.ts';
import { draftOf, failureOf, FleetScene, noPostgres } from './support.ts';

/** Mounts a small disk at a path; `false` = that is not possible here. */
function mountSmall(disk: string): boolean {
  mkdirSync(disk, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return false;
  }
  onTestFinished(() => {
    execFileSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
  return true;
}

function fill(ballast: string): void {
  for (let size = 1 << 20; size >= 1024; size /= 2) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Nothing of that size fits any more.
    }
  }
}

describe.skipIf(noPostgres !== null)("a fleet whose database's disk is full", () => {
  const scene = new FleetScene();

  /** Moves tables to a small disk of their own; gives the file that fills it. */
  async function withSmallDisk(tables: readonly string[]): Promise<string | null> {
    await initFleet(scene.url(), { roles: false, variables: {} });
    const disk = join(scene.sql('show unix_socket_directories'), 'small');
    if (!mountSmall(disk)) return null;
    execFileSync('chown', ['postgres', disk]);
    scene.sql(`create tablespace small location '${disk}'`);
    for (const table of tables) scene.sql(`alter table deadheat_fleet.${table} set tablespace small`);
    return join(disk, 'ballast');
  }

  it('keeps finished runs on the disks of workers, waits, and goes on when there is room', async (context) => {
    const ballast = await withSmallDisk(['run_result', 'experiment', 'run']);
    if (ballast === null) return context.skip('a small file system cannot be mounted here');
    const worker = scene.worker('only');
    await worker.until('ready');
    fill(ballast);
    const failure = await failureOf(() => scene.submit(draftOf({ A: 'true' }), { directory: scene.path('full') }));
    expect(failure).toMatchObject({ name: 'HistoryError', code: 'DISK_FULL' });
    expect(scene.sql('select count(*) from deadheat_fleet.experiment')).toBe('0');
    rmSync(ballast);
    const go = scene.path('go');
    const log = scene.path('log');
    // The first run ends when the disk is full.
    const submitted = scene.submit(
      draftOf(
        { A: `echo run >> ${log}; while ! test -e ${go}; do sleep 0.05; done`, B: 'true' },
        { stop: { kind: 'runs', runs: 6 } },
      ),
    );
    await worker.until('run-started');
    fill(ballast);
    writeFileSync(go, '');
    const { message } = await worker.until('connection-lost');
    expect(message).toMatch(/the database's disk is full .*Free some space there/);
    expect(readdirSync(scene.path('only', 'results'))).toHaveLength(1);
    expect(scene.sql('select count(*) from deadheat_fleet.run_result')).toBe('0');
    expect(existsSync(scene.path('recording', 'report.json'))).toBe(false);

    rmSync(ballast);
    const { outcome, report } = await submitted;
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]?.runs).toBe(6);
    expect(execFileSync('cat', [log], { encoding: 'utf8' })).toBe('run\n'.repeat(6));
    expect(readdirSync(scene.path('only', 'results'))).toEqual([]);
  });

  it('is waited for by who submitted, too', async () => {
    const worker = scene.worker('only');
    await worker.until('ready');
    // What the server says when its disk is full, at every step of a run.
    scene.sql(`create function full_disk() returns trigger language plpgsql as $$ begin
        raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100'; end $$;
      create trigger full_disk before insert or update on deadheat_fleet.run for each row execute function full_disk()`);
    const submitted = scene.submit(draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 4 } }));
    const submission = { isOver: false };
    void submitted.catch(() => undefined).finally(() => (submission.isOver = true));
    while (!submission.isOver && !submitted.notices.some((text) => text.endsWith('Waiting for it'))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(scene.sql('select count(*) from deadheat_fleet.run')).toBe('0');
    scene.sql('drop trigger full_disk on deadheat_fleet.run');
    const { outcome, report } = await submitted;
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]?.runs).toBe(4);
    expect(submitted.notices).toEqual([
      expect.stringMatching(/^experiment \w+ on /),
      expect.stringMatching(/disk is full.*Waiting for it$/),
      'the database is there again',
    ]);
  });
});

describe.skipIf(noPostgres !== null)('a worker whose disk is full', () => {
  const scene = new FleetScene();

  it('names it and leaves until there is room: its runs go to others', async (context) => {
    const disk = mkdtempSync(join(tmpdir(), 'deadheat-small-'));
    if (!mountSmall(disk)) return context.skip('a small file system cannot be mounted here');
    const ballast = join(disk, 'ballast');
    const small = scene.worker('small', { folder: disk });
    await small.until('ready');
    fill(ballast);
    const submitted = scene.submit(draftOf({ A: 'true' }, { stop: { kind: 'runs', runs: 4 } }));
    const { message } = await small.until('disk-full');
    expect(message).toBe(
      `the disk of ${disk} is full (ENOSPC). Free some space there; until then this worker takes no runs, and what it had in hand goes to others`,
    );
    await scene.worker('large').until('ready');
    const { outcome, report } = await submitted;
    expect(outcome).toEqual({ kind: 'done' });
    expect(report.comparisons[0]?.runs).toBe(4);
    const byHost = `select w.labels->>'name', count(*) from deadheat_fleet.run r join deadheat_fleet.worker w on w.id = r.worker group by 1`;
    expect(scene.sql(byHost)).toBe('large|4');
    expect(readdirSync(join(disk, 'results'))).toEqual([]);
    expect(small.events.map(({ kind }) => kind)).not.toContain('run-refused');

    rmSync(ballast);
    await small.until('disk-found');
    const state =
      "select left_at is null and until > now() from deadheat_fleet.worker join deadheat_fleet.lease on name = id where labels->>'name' = 'small'";
    expect(scene.sql(state)).toBe('t');
  });

  it('does not begin without room, and says where', async (context) => {
    const disk = mkdtempSync(join(tmpdir(), 'deadheat-small-'));
    if (!mountSmall(disk)) return context.skip('a small file system cannot be mounted here');
    fill(join(disk, 'ballast'));
    const failure = await failureOf(() => scene.worker('small', { folder: disk }).until('ready'));
    expect(failure).toMatchObject({ name: 'FleetError', code: 'DISK_FULL' });
    expect(failure.message).toContain(`the disk of ${disk} is full (ENOSPC). Free some space there`);
  });
});
