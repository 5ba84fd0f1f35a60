import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitsBetween, openRepository, type Repository } from '../src/repository.ts';
import { readRange, resolveRevisions } from '../src/revisions.ts';
import { noGit, TestRepository } from './support-repository.ts';

const { signal } = new AbortController();

describe('a range', () => {
  it('has dots where HEAD is named', () => {
    expect(readRange(null)).toEqual({ base: null, head: null });
    expect(readRange('main')).toEqual({ base: 'main', head: null });
    expect(readRange('main..topic')).toEqual({ base: 'main', head: 'topic' });
    expect(readRange('v1.2...topic')).toEqual({ base: 'v1.2', head: 'topic' });
    expect(readRange('main..')).toEqual({ base: 'main', head: 'HEAD' });
    expect(readRange('..topic')).toEqual({ base: null, head: 'topic' });
  });
});

describe.skipIf(noGit !== null)('revisions', () => {
  let repository: TestRepository;
  const open = async (): Promise<Repository> => openRepository(repository.folder, signal);
  const resolve = async (
    base: string | null,
    head: string | null,
    exact = false,
  ): Promise<{ base: string; head: string; labels: string[] }> => {
    const found = await resolveRevisions({ base, head, exact }, await open());
    return {
      base: found.base.commit.id,
      head: found.head.commit.id,
      labels: [found.base.label, found.head.label],
    };
  };

  beforeEach(() => {
    repository = new TestRepository();
  });
  afterEach(() => repository.end());

  it('part where the branch left the base, which has gone on', async () => {
    const first = repository.commit('first', { a: '1' });
    repository.git('checkout', '--quiet', '-b', 'topic');
    const topic = repository.commit('topic', { b: '1' });
    repository.git('checkout', '--quiet', 'main');
    const later = repository.commit('later', { a: '2' });
    expect(await resolve('main', 'topic')).toMatchObject({ base: first, head: topic });
    expect(await resolve('main', 'topic', true)).toMatchObject({ base: later, head: topic });
    repository.git('checkout', '--quiet', 'topic');
    expect(await resolve(null, null)).toMatchObject({ base: first, head: topic });
  });

  it('are the commit before and this one on the default branch itself', async () => {
    const first = repository.commit('first', { a: '1' });
    const second = repository.commit('second', { a: '2' });
    expect(await resolve(null, null)).toMatchObject({
      base: first,
      head: second,
      labels: ['HEAD~1', second.slice(0, 7)],
    });
  });

  it('take the base as it is where HEAD lies in its history', async () => {
    const first = repository.commit('first', { a: '1' });
    const second = repository.commit('second', { a: '2' });
    expect(await resolve('main', first)).toMatchObject({ base: second, head: first });
  });

  it('see a change of the same length in the second in which the index was written', async () => {
    const first = repository.commit('first', { a: 'rounds = 20' });
    const path = join(repository.folder, 'a');
    // As if the commit and the change were made within one second, and deadheat was typed later.
    const second = new Date(Math.floor(Date.now() / 1000) * 1000 - 10_000);
    utimesSync(path, second, second);
    repository.git('update-index', '--refresh');
    utimesSync(join(repository.folder, '.git/index'), second, second);
    writeFileSync(path, 'rounds = 21');
    utimesSync(path, second, second);
    expect((await resolve('HEAD', null)).head).not.toBe(first);
  });

  it('take the working tree with what is not committed, and touch nothing', async () => {
    const first = repository.commit('first', { a: '1', '.gitignore': 'ignored\n' });
    repository.write('a', '2');
    repository.git('add', 'a');
    repository.write('a', '3');
    repository.write('new', 'x');
    repository.write('ignored', 'x');
    repository.write('.deadheat/recording/trials.jsonl', 'x');
    const before = repository.git('status', '--porcelain');
    const diff = repository.git('diff', '--cached');
    const found = await resolve(null, null);
    expect(found).toMatchObject({ base: first, labels: ['HEAD', 'working tree'] });
    expect(repository.git('show', `${found.head}:a`)).toBe('3');
    expect(repository.git('ls-tree', '-r', '--name-only', found.head)).toBe('.gitignore\na\nnew');
    expect(repository.git('rev-parse', `${found.head}~1`)).toBe(first);
    expect(repository.git('status', '--porcelain')).toBe(before);
    expect(repository.git('diff', '--cached')).toBe(diff);
    expect(repository.git('stash', 'list')).toBe('');
    expect((await resolve(null, null)).head).toBe(found.head);
  });

  it('are refused where they are not there, begin with a dash or have nothing before them', async () => {
    await expect(
      open().then((found) => resolveRevisions({ base: null, head: null, exact: false }, found)),
    ).rejects.toThrow(expect.objectContaining({ code: 'NO_EARLIER_COMMIT' }));
    repository.commit('first', { a: '1' });
    await expect(resolve('nowhere', null)).rejects.toThrow(expect.objectContaining({ code: 'UNKNOWN_REVISION' }));
    await expect(resolve('--output=x', null)).rejects.toThrow(expect.objectContaining({ code: 'UNKNOWN_REVISION' }));
    await expect(resolve(null, null)).rejects.toThrow(expect.objectContaining({ code: 'NO_EARLIER_COMMIT' }));
  });

  it('without a commit in common need --exact', async () => {
    repository.commit('first', { a: '1' });
    repository.git('checkout', '--quiet', '--orphan', 'other');
    repository.commit('other', { b: '1' });
    await expect(resolve('main', 'other')).rejects.toThrow(expect.objectContaining({ code: 'NO_COMMON_ANCESTOR' }));
    await expect(resolve('main', 'other', true)).resolves.toBeDefined();
  });

  it('that a shallow clone lacks are told with what to do', async () => {
    repository.commit('first', { a: '1' });
    repository.commit('second', { a: '2' });
    const folder = mkdtempSync(join(tmpdir(), 'deadheat-shallow-'));
    try {
      execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${repository.folder}`, folder], { stdio: 'pipe' });
      const shallow = await openRepository(folder, signal);
      for (const base of ['HEAD~1', null]) {
        await expect(resolveRevisions({ base, head: null, exact: false }, shallow)).rejects.toThrow(
          expect.objectContaining({
            code: 'SHALLOW_CLONE',
            message: expect.stringMatching(/fetch-depth: 0/) as string,
          }),
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('between two commits are those of the first parents', async () => {
    const good = repository.commit('good', { a: '1' });
    repository.git('checkout', '--quiet', '-b', 'topic');
    repository.commit('in topic', { b: '1' });
    repository.git('checkout', '--quiet', 'main');
    repository.commit('second', { a: '2' });
    repository.git('merge', '--quiet', '--no-ff', '-m', 'merge topic', 'topic');
    const bad = repository.commit('bad', { a: '3' });
    const range = await commitsBetween({ good, bad }, await open());
    expect(range.commits.map(({ subject }) => subject)).toEqual(['second', 'merge topic', 'bad']);
    await expect(commitsBetween({ good: bad, bad: good }, await open())).rejects.toThrow(
      expect.objectContaining({ code: 'NOT_AN_ANCESTOR' }),
    );
  });

  it('need a repository', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'deadheat-none-'));
    try {
      await expect(openRepository(folder, signal)).rejects.toThrow(
        expect.objectContaining({ code: 'NOT_A_REPOSITORY' }),
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
