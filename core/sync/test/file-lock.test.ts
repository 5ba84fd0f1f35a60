import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasNativeCalls } from '@deadheat/sync';
import { holderOf, isLock, takeByIdentity, takeLock, type FileLock } from '../src/file-lock.ts';
import { isOwn, isRunning, ownHolder } from '../src/holder.ts';

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'lock');
}

function taken(found: ReturnType<typeof takeLock>): FileLock {
  if (!isLock(found)) throw new Error(`held by ${found.pid}`);
  return found;
}

describe.each([
  ['kept by the kernel', takeLock, hasNativeCalls()],
  ['kept by identity', takeByIdentity, true],
] as const)('a lock %s', (_, take, canRun) => {
  it.skipIf(!canRun)('is held once, says by whom, and leaves nothing when it is released', () => {
    const path = newPath();
    const lock = taken(take(path));
    expect(lock.byKernel).toBe(take === takeLock);
    for (const found of [takeLock(path), takeByIdentity(path), holderOf(path)]) {
      expect(found).toMatchObject({ pid: process.pid });
    }
    lock.release();
    lock.release();
    expect(holderOf(path)).toBeNull();
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  it.skipIf(!canRun)('keeps notes for whoever takes it over when its process has ended', () => {
    const path = newPath();
    const gone = { ...ownHolder(), startTicks: 1 };
    writeFileSync(path, `${JSON.stringify(gone)}\nfirst\nsecond\n`);
    const lock = taken(take(path));
    expect(lock.notes).toBe('first\nsecond\n');
    lock.note('third\n');
    expect(readFileSync(path, 'utf8').split('\n').slice(1)).toEqual(['third', '']);
    lock.release();
  });

  it.skipIf(!canRun)('is taken over although an earlier takeover died half-way', () => {
    const path = newPath();
    for (const left of [path, `${path}.next`]) writeFileSync(left, '');
    taken(take(path)).release();
    expect(existsSync(path)).toBe(false);
  });
});

describe('a process that holds something', () => {
  it('runs as long as nothing shows that it has ended', () => {
    const own = ownHolder();
    expect(isOwn(own)).toBe(true);
    expect(isRunning(own)).toBe(true);
    expect(isRunning({ ...own, host: 'elsewhere' })).toBe(true);
    const { pid } = spawnSync('true');
    expect(isRunning({ ...own, pid })).toBe(false);
    expect(isRunning({ ...own, pid, namespace: 'pid:[1]' })).toBe(true);
    expect(isOwn({ ...own, namespace: 'pid:[1]' })).toBe(false);
  });
});
