import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram, cacheDirectory, findCompiler } from '../src/c/build-program.ts';
import { WorkloadError } from '../src/workload-error.ts';
import { Folder, noCompiler } from './support.ts';

function failure(act: () => unknown): WorkloadError {
  try {
    act();
  } catch (error) {
    if (error instanceof WorkloadError) return error;
    throw error;
  }
  throw new TypeError('nothing went wrong');
}

describe('a program in C', () => {
  let folder: Folder;
  beforeEach(() => (folder = new Folder()));
  afterEach(() => folder.end());

  it.skipIf(noCompiler !== null)('is compiled once', () => {
    const first = buildProgram('load', folder.environment());
    const { mtimeMs } = statSync(first);
    expect(buildProgram('load', folder.environment())).toBe(first);
    expect(statSync(first).mtimeMs).toBe(mtimeMs);
    expect(folder.remembered()).toHaveLength(1);
  });

  it.skipIf(noCompiler !== null)('is whole, and the same, when several build it at the same time', async () => {
    const script = `import { buildProgram } from '${new URL('../dist/c/build-program.js', import.meta.url).href}'; console.log(buildProgram('workload'));`;
    const builds = Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        cwd: import.meta.dirname,
        env: folder.environment(),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const path: string[] = [];
      child.stdout.setEncoding('utf8').on('data', (text: string) => path.push(text));
      await new Promise((resolve) => child.once('close', resolve));
      return path.join('').trim();
    });
    const paths = await Promise.all(builds);
    expect(new Set(paths).size).toBe(1);
    expect(folder.remembered()).toHaveLength(1);
    const program = spawn(paths[0] ?? '', ['integer', '1', '1'], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(await new Promise((resolve) => program.once('close', resolve))).toBe(0);
  });

  it('says what to install when there is no compiler', () => {
    const error = failure(() => buildProgram('load', folder.environment({ PATH: folder.path })));
    expect(error.code).toBe('NO_COMPILER');
    expect(error.message).toMatch(/neither cc nor gcc nor clang[^]*libc6-dev[^]*the language js/);
  });

  it('says so when CC names no compiler', () => {
    expect(failure(() => findCompiler({ ...process.env, CC: 'no-such-cc' })).message).toContain("CC is 'no-such-cc'");
  });

  it('passes on what the compiler complains about, and leaves nothing behind', () => {
    const script = '#!/bin/sh\n[ "$1" = --version ] && exec echo stub 1.0\necho no stdio.h here >&2; exit 1\n';
    const cc = join(folder.path, 'cc');
    writeFileSync(cc, script, { mode: 0o755 });
    const error = failure(() => buildProgram('load', folder.environment({ CC: cc })));
    expect(error.code).toBe('COMPILE_FAILED');
    expect(error.message).toMatch(/cannot compile load\.c:\nno stdio\.h here\n/);
    expect(folder.remembered()).toEqual([]);
  });
});

describe('the folder of what can be made again', () => {
  let folder: Folder;
  beforeEach(() => (folder = new Folder()));
  afterEach(() => folder.end());

  it('is a temporary one of this user where the usual one cannot be made', () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const directory = cacheDirectory({ XDG_CACHE_HOME: file, TMPDIR: folder.path });
    expect(directory.startsWith(join(folder.path, 'deadheat-'))).toBe(true);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('is never one into which others can put programs', () => {
    const usual = join(folder.path, 'deadheat');
    mkdirSync(usual);
    chmodSync(usual, 0o777);
    expect(cacheDirectory({ XDG_CACHE_HOME: folder.path, TMPDIR: folder.path })).not.toBe(usual);
    chmodSync(cacheDirectory({ XDG_CACHE_HOME: folder.path, TMPDIR: folder.path }), 0o770);
    const error = failure(() => cacheDirectory({ XDG_CACHE_HOME: folder.path, TMPDIR: folder.path }));
    expect(error.message).toMatch(/can be written by others\.\nSet XDG_CACHE_HOME/);
  });
});
