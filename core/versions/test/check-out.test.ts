import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Versions } from '../src/versions.ts';
import { openRepository } from '../src/repository.ts';
import { resolveRevisions } from '../src/revisions.ts';
import type { ReadyVersion } from '../src/version-cache.ts';
import { noGit, TestRepository } from './support-repository.ts';

const { signal } = new AbortController();

describe.skipIf(noGit !== null)('a commit that is made ready', () => {
  let repository: TestRepository;
  let cache: string;
  let versions: Versions;
  let setups: number;

  beforeEach(() => {
    repository = new TestRepository();
    cache = mkdtempSync(join(tmpdir(), 'deadheat-cache-'));
    vi.stubEnv('DEADHEAT_CACHE', cache);
    versions = new Versions();
    setups = 0;
  });
  afterEach(async () => {
    await versions.releaseAll();
    vi.unstubAllEnvs();
    repository.end();
    rmSync(cache, { recursive: true, force: true });
  });

  interface Wanted {
    readonly commit: string;
    readonly setup?: string | null;
    readonly bench?: { readonly from: string; readonly paths: readonly string[] };
    readonly inside?: string;
    readonly stop?: AbortSignal;
    readonly fresh?: boolean;
  }

  async function checkOut({
    commit,
    setup = null,
    bench,
    inside = '',
    stop = signal,
    fresh = false,
  }: Wanted): Promise<ReadyVersion> {
    const found = await openRepository(join(repository.folder, inside), stop);
    const named = async (name: string): Promise<Awaited<ReturnType<typeof resolveRevisions>>> =>
      resolveRevisions({ base: name, head: name, exact: true }, found);
    return versions.checkOut({
      revision: (await named(commit)).head,
      what: `A, ${commit},`,
      setup,
      benchFiles: bench === undefined ? null : { from: (await named(bench.from)).head.commit, paths: bench.paths },
      repository: found,
      fresh,
      onSetup: () => (setups += 1),
    });
  }

  const slots = (): readonly string[] => readdirSync(join(cache, 'versions'));
  const sweep = async (): Promise<unknown> => new Versions().sweep();

  it('has its files and its setup, and leaves no worktree when it is given back', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    repository.write('a.txt', 'changed');
    const version = await checkOut({ commit: 'HEAD', setup: 'git rev-parse HEAD > built' });
    expect(readFileSync(join(version.folder, 'a.txt'), 'utf8')).toBe('one');
    expect(readFileSync(join(version.folder, 'built'), 'utf8').trim()).toBe(repository.git('rev-parse', 'HEAD'));
    expect(repository.worktrees()).toBe(2);
    await versions.releaseAll();
    expect(repository.worktrees()).toBe(1);
    expect(readFileSync(join(repository.folder, 'a.txt'), 'utf8')).toBe('changed');
  });

  it('is set up once: the next time it is there, in the same place, with a clean status', async () => {
    repository.commit('first', { 'a.txt': 'one', '.gitignore': 'built\n' });
    const first = await checkOut({ commit: 'HEAD', setup: 'pwd > built' });
    await versions.releaseAll();
    const second = await checkOut({ commit: 'HEAD', setup: 'pwd > built' });
    expect(second.wasReady).toBe(true);
    expect(setups).toBe(1);
    expect(second.folder).toBe(first.folder);
    expect(readFileSync(join(second.folder, 'built'), 'utf8').trim()).toBe(second.folder);
    const git = (...args: readonly string[]): string =>
      execFileSync('git', args, { cwd: second.folder, encoding: 'utf8' });
    expect(git('status', '--porcelain')).toBe('');
    expect(git('rev-parse', 'HEAD').trim()).toBe(repository.git('rev-parse', 'HEAD'));
    expect(repository.worktrees()).toBe(2);
  });

  it('is set up again where that is asked for', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    const first = await checkOut({ commit: 'HEAD', setup: 'touch built' });
    await versions.releaseAll();
    const second = await checkOut({ commit: 'HEAD', setup: 'touch built', fresh: true });
    expect([second.folder, second.wasReady, setups]).toEqual([first.folder, false, 2]);
  });

  it('is made anew for another setup, and twice for two sides of one commit', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    const a = await checkOut({ commit: 'HEAD', setup: 'touch x' });
    const b = await checkOut({ commit: 'HEAD', setup: 'touch x' });
    const c = await checkOut({ commit: 'HEAD', setup: 'touch y' });
    expect(new Set([a.folder, b.folder, c.folder]).size).toBe(3);
    expect(setups).toBe(3);
  });

  it('tells side, commit and the last lines of a setup that fails, and leaves nothing', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    const failing = checkOut({ commit: 'main', setup: 'echo compiling; echo no such type >&2; exit 3' });
    await expect(failing).rejects.toMatchObject({
      code: 'SETUP_FAILED',
      message:
        'A, main, cannot be built: the setup echo compiling; echo no such type >&2; exit 3 ended with status 3\n  compiling\n  no such type',
    });
    expect(slots()).toEqual([]);
    expect(repository.worktrees()).toBe(1);
  });

  it('is left at once when it is interrupted', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    const controller = new AbortController();
    const begun = join(cache, 'begun');
    const waiting = checkOut({ commit: 'HEAD', setup: `touch ${begun}; sleep 1000`, stop: controller.signal });
    const ended = expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED' });
    while (!existsSync(begun)) await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort();
    await ended;
    expect(slots()).toEqual([]);
    expect(repository.worktrees()).toBe(1);
  });

  it('takes the files of the benchmark from another commit, where one stands', async () => {
    repository.commit('old', { 'sub/bench/old.js': 'old', 'sub/bench/both.js': 'old', 'sub/lib.js': 'old' });
    repository.commit('new', { 'sub/bench/both.js': 'new', 'sub/bench/new.js': 'new', 'sub/lib.js': 'new' });
    const bench = { from: 'HEAD', paths: ['bench'] };
    const version = await checkOut({ commit: 'HEAD~1', bench, inside: 'sub', setup: 'ls bench > listed' });
    const read = (name: string): string => readFileSync(join(version.folder, name), 'utf8');
    expect(version.folder.endsWith('/sub')).toBe(true);
    expect(read('bench/both.js')).toBe('new');
    expect(read('lib.js')).toBe('old');
    expect(read('listed')).toContain('new.js');
    await expect(
      checkOut({ commit: 'HEAD~1', bench: { from: 'HEAD', paths: ['benches'] }, inside: 'sub' }),
    ).rejects.toMatchObject({ code: 'UNKNOWN_BENCH_PATH' });
  });

  it('is refused where it has no folder that one stands in', async () => {
    repository.commit('old', { 'a.txt': 'one' });
    repository.commit('new', { 'sub/b.txt': 'one' });
    await expect(checkOut({ commit: 'HEAD~1', inside: 'sub' })).rejects.toMatchObject({ code: 'CHECKOUT_FAILED' });
    expect(repository.worktrees()).toBe(1);
  });

  it('has its submodules, without the network', async () => {
    const library = new TestRepository();
    try {
      const old = library.commit('old', { 'lib.txt': 'old' });
      library.commit('new', { 'lib.txt': 'new' });
      repository.commit('first', { 'a.txt': 'one' });
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, 'lib');
      repository.commit('with lib', {});
      execFileSync('git', ['checkout', '--quiet', old], { cwd: join(repository.folder, 'lib') });
      const added = repository.git('rev-parse', 'HEAD');
      repository.commit('with old lib', {});
      library.end();
      const now = await checkOut({ commit: 'HEAD' });
      const before = await checkOut({ commit: added });
      expect(readFileSync(join(now.folder, 'lib/lib.txt'), 'utf8')).toBe('old');
      expect(readFileSync(join(before.folder, 'lib/lib.txt'), 'utf8')).toBe('new');
      repository.write('lib/lib.txt', 'changed');
      const found = await openRepository(repository.folder, signal);
      await expect(resolveRevisions({ base: 'HEAD', head: null, exact: false }, found)).rejects.toMatchObject({
        code: 'SUBMODULE_MISSING',
        message: expect.stringContaining('submodule lib has changes') as string,
      });
    } finally {
      library.end();
    }
  });

  /** What a process that is killed leaves: its lock is that of nobody. */
  function die(version: ReadyVersion): string {
    const slot = join(version.root, '..');
    rmSync(join(slot, 'lock'));
    return slot;
  }

  it('is put in order by the next start after a kill while it was used', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    const version = await checkOut({ commit: 'HEAD', setup: 'touch built' });
    die(version);
    expect(repository.worktrees()).toBe(2);
    await sweep();
    expect(repository.worktrees()).toBe(1);
    const again = await checkOut({ commit: 'HEAD', setup: 'touch built' });
    expect([again.wasReady, existsSync(join(again.folder, 'built'))]).toEqual([true, true]);
  });

  it('is removed by the next start after a kill before it was ready', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    const slot = die(await checkOut({ commit: 'HEAD' }));
    rmSync(join(slot, 'version.json'));
    await sweep();
    expect(repository.worktrees()).toBe(1);
    expect(slots()).toEqual([]);
  });

  it('is put in order after a kill between the steps of giving it back and of taking it', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    const slot = die(await checkOut({ commit: 'HEAD', setup: 'touch built' }));
    renameSync(join(slot, 'tree'), join(slot, 'parked'));
    await sweep();
    expect(repository.worktrees()).toBe(1);
    // Taken again: git has made the worktree, and its files are still parked.
    repository.git('worktree', 'add', '--quiet', '--detach', '--no-checkout', join(slot, 'tree'), 'HEAD');
    await sweep();
    expect(repository.worktrees()).toBe(1);
    const again = await checkOut({ commit: 'HEAD', setup: 'touch built' });
    expect([again.wasReady, existsSync(join(again.folder, 'built'))]).toEqual([true, true]);
  });

  it('is left alone by others while it is used, and removed on request after', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    const version = await checkOut({ commit: 'HEAD' });
    expect(await new Versions().sweep({ everything: true })).toEqual([]);
    expect(existsSync(version.folder)).toBe(true);
    await versions.releaseAll();
    expect(await new Versions().sweep({ everything: true, dryRun: true })).toHaveLength(1);
    expect(await new Versions().sweep({ everything: true })).toHaveLength(1);
    expect(slots()).toEqual([]);
  });

  it('is one of sixteen at most', async () => {
    repository.commit('first', { 'a.txt': 'one' });
    for (let n = 0; n < 18; n += 1) {
      await versions.release(await checkOut({ commit: 'HEAD', setup: `touch ${n}` }));
    }
    await sweep();
    expect(slots()).toHaveLength(16);
    expect((await checkOut({ commit: 'HEAD', setup: 'touch 17' })).wasReady).toBe(true);
    expect((await checkOut({ commit: 'HEAD', setup: 'touch 0' })).wasReady).toBe(false);
  });
});
