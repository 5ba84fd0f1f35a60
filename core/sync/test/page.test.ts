import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPage,
  createUnnamedPage,
  openPage,
  pageBytes,
  pageMagic,
  pageVersion,
  removePage,
  word,
} from '@deadheat/sync';
import { pageFields } from '../src/page-layout.ts';
import { noPages } from './support.ts';

describe.skipIf(noPages !== null)('a shared page', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'page-test-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('is a private file that other processes can map', () => {
    const page = createPage(directory);
    const { mode, size } = statSync(page.path);
    expect(mode & 0o777).toBe(0o600);
    expect(size).toBe(pageBytes);
    const again = openPage(page.path);
    Atomics.store(page.words, word.workDone(1), 42);
    expect(Atomics.load(again.words, word.workDone(1))).toBe(42);
  });

  it('begins with DHPG and its version', () => {
    const page = createPage(directory);
    const bytes = readFileSync(page.path);
    expect(bytes.toString('latin1', 0, 4)).toBe('DHPG');
    expect(bytes.readInt32LE(4)).toBe(pageVersion);
  });

  it('refuses a file that is no page, with what it found', () => {
    const path = join(directory, 'foreign');
    writeFileSync(path, Buffer.alloc(pageBytes, 'x'));
    expect(() => openPage(path)).toThrow(
      expect.objectContaining({
        code: 'NOT_A_PAGE',
        message: expect.stringContaining('0x78787878'),
      }) as Error,
    );
  });

  it('refuses a file that is too short', () => {
    const path = join(directory, 'short');
    writeFileSync(path, 'DHPG');
    expect(() => openPage(path)).toThrow(/4 bytes instead of 4096/);
  });

  it('refuses a page of another version, with both numbers', () => {
    const path = join(directory, 'newer');
    const bytes = Buffer.alloc(pageBytes);
    bytes.writeInt32LE(pageMagic, 0);
    bytes.writeInt32LE(7, 4);
    writeFileSync(path, bytes);
    expect(() => openPage(path)).toThrow(/version 7.*version 1/);
  });

  it('names the folder when it cannot be made', () => {
    expect(() => createPage('/nonexistent/folder')).toThrow(/\/nonexistent\/folder/);
  });

  it('says that the memory is full instead of being given out without any', (context) => {
    const full = join(directory, 'full');
    mkdirSync(full);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${2 * pageBytes}`, 'tmpfs', full], { stdio: 'ignore' });
    } catch {
      return context.skip('a small file system cannot be mounted here');
    }
    try {
      writeFileSync(join(full, 'of others'), Buffer.alloc(2 * pageBytes));
      expect(() => createPage(full)).toThrow(
        expect.objectContaining({ code: 'NO_SHARED_MEMORY', message: expect.stringContaining('is full') }) as Error,
      );
      expect(readdirSync(full)).toEqual(['of others']);
    } finally {
      execFileSync('umount', [full]);
    }
  });

  it('without a name can be mapped by its descriptor, and nobody can cut it', () => {
    const { page, fd } = createUnnamedPage();
    const path = `/proc/self/fd/${fd}`;
    Atomics.store(page.words, word.workDone(0), 7);
    expect(Atomics.load(openPage(path).words, word.workDone(0))).toBe(7);
    expect(() => truncateSync(path, 0)).toThrow(/EPERM/);
    expect(() => closeSync(openSync(path, 'w'))).toThrow(/EPERM/);
    expect(statSync(path).size).toBe(pageBytes);
    closeSync(fd);
    expect(Atomics.load(page.words, word.workDone(0))).toBe(7);
  });

  it('stays usable for those who mapped it after its file is removed', () => {
    const page = createPage(directory);
    removePage(page.path);
    removePage(page.path);
    Atomics.store(page.words, word.cursor(0), 1);
    expect(Atomics.load(page.words, word.cursor(0))).toBe(1);
    expect(() => openPage(page.path)).toThrow(/cannot open the shared page/);
  });
});

describe('the layout of the page', () => {
  it('gives every field a word of its own inside the page', () => {
    const offsets = pageFields().map(({ offsetBytes }) => offsetBytes);
    expect(new Set(offsets).size).toBe(offsets.length);
    for (const offset of offsets) {
      expect(offset % 4).toBe(0);
      expect(offset).toBeLessThan(pageBytes);
    }
  });

  it('never puts the words of two writers on one cache line', () => {
    const writers = new Map<number, Set<string>>();
    for (const { offsetBytes, writer } of pageFields()) {
      const line = Math.floor(offsetBytes / 64);
      writers.set(line, (writers.get(line) ?? new Set()).add(writer));
    }
    for (const set of writers.values()) expect(set.size).toBe(1);
  });
});
