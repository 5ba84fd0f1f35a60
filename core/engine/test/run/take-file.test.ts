import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRegularFile, takeFile } from '../../src/run/container/side-output.ts';

const secret = 'root:$6$not-for-submitters\n';

describe.skipIf(process.platform !== 'linux')('a file that a container left', () => {
  let folder: string;
  let inside: string;
  let to: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deadheat-take-'));
    inside = join(folder, 'run');
    to = join(folder, 'taken');
    mkdirSync(inside);
    writeFileSync(join(folder, 'shadow'), secret, { mode: 0o600 });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function take(mostBytes?: number): string | null {
    return takeFile({ folder: inside, name: 'record.jsonl' }, to, mostBytes);
  }

  it('is copied', () => {
    const text = 'x'.repeat(3_000_000);
    writeFileSync(join(inside, 'record.jsonl'), text);
    expect(take()).toBeNull();
    expect(readFileSync(to, 'utf8')).toBe(text);
  });

  it('is copied from a folder that is reached by a link of our own', () => {
    const alias = join(folder, 'alias');
    symlinkSync(inside, alias);
    writeFileSync(join(inside, 'a'), 'text');
    const fd = openRegularFile(alias, 'a');
    expect(fd).toEqual(expect.any(Number));
    if (typeof fd === 'number') closeSync(fd);
  });

  it.each([
    ['a file outside', '../shadow'],
    ['a file outside, by its whole path', '/etc/passwd'],
    ['a file in the same folder', 'other'],
    ['itself', 'record.jsonl'],
    ['nothing', 'none'],
    ['a device', '/dev/zero'],
    ['what this process has open', '/proc/self/environ'],
  ])('is not read where it is a link to %s', (_, target) => {
    writeFileSync(join(inside, 'other'), 'text');
    symlinkSync(target, join(inside, 'record.jsonl'));
    expect(take()).toBe('it is a symbolic link');
    expect(existsSync(to)).toBe(false);
  });

  it('is not waited for where it is a pipe that nobody writes to', () => {
    execFileSync('mkfifo', [join(inside, 'record.jsonl')]);
    expect(take()).toBe('it is no regular file');
  });

  it('is not read where it is a folder, or not there', () => {
    expect(take()).toBe('it cannot be opened: ENOENT');
    mkdirSync(join(inside, 'record.jsonl'));
    expect(take()).toBe('it is no regular file');
  });

  it('has a size that can be read', () => {
    writeFileSync(join(inside, 'record.jsonl'), Buffer.alloc(2 ** 20 + 1));
    expect(take(2 ** 20)).toBe('it is larger than 1 MiB');
    expect(take(2 ** 20 + 1)).toBeNull();
  });

  it('does not write through a link in the place of its copy', () => {
    writeFileSync(join(inside, 'record.jsonl'), 'text');
    symlinkSync('shadow', to);
    expect(() => take()).toThrow(/ELOOP/);
    expect(readFileSync(join(folder, 'shadow'), 'utf8')).toBe(secret);
  });
});
