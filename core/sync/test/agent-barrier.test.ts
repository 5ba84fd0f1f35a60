import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgentBarrier } from '../src/agent-barrier.ts';
import { SyncError } from '../src/sync-error.ts';
import { noPages } from './support.ts';

const source = fileURLToPath(new URL('./fixtures/agent-side.c', import.meta.url));
const noCompiler = spawnSync('gcc', ['--version']).status === 0 ? null : 'there is no gcc here';
/** A program finds shared memory there alone. */
const directory = '/dev/shm';
const name = `-deadheat-test-${process.pid}`;

describe.skipIf((noPages ?? noCompiler) !== null || !existsSync(directory))('the barrier of the Java agent', () => {
  let folder: string;
  let program: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'agent-barrier-test-'));
    program = join(folder, 'side');
    execFileSync('gcc', ['-O2', '-pthread', '-D_GNU_SOURCE', '-o', program, source, '-lrt']);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('lets two processes meet as often as they come', async () => {
    const path = createAgentBarrier({ directory, name, parties: 2 });
    try {
      expect(path).toBe(`/dev/shm/java-ubench-agent${name}`);
      expect(statSync(path).size).toBe(32);
      const sides = await Promise.all([1, 2].map(async () => promisify(execFile)(program, [name, '1000'])));
      expect(sides.map(({ stdout }) => stdout)).toEqual(['1000\n', '1000\n']);
    } finally {
      rmSync(path);
    }
    expect(readdirSync(directory).filter((file) => file.includes(name))).toEqual([]);
    expect(spawnSync(program, [name, '1']).status).toBe(1);
  });

  it('keeps one who comes alone waiting', async () => {
    const path = createAgentBarrier({ directory, name, parties: 2 });
    try {
      const alone = spawn(program, [name, '1'], { stdio: 'ignore' });
      const ended = new Promise((resolve) => alone.once('exit', resolve));
      expect(await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))])).toBe('waits');
      expect(spawnSync(program, [name, '1']).status).toBe(0);
      expect(await ended).toBe(0);
    } finally {
      rmSync(path);
    }
  });

  it('is not made twice, nor by a name that is none', () => {
    const path = createAgentBarrier({ directory, name, parties: 2 });
    try {
      expect(() => createAgentBarrier({ directory, name, parties: 2 })).toThrow(SyncError);
      expect(() => createAgentBarrier({ directory, name: 'a/b', parties: 2 })).toThrow(RangeError);
      expect(() => createAgentBarrier({ directory, name: `${name}0`, parties: 0 })).toThrow(/EINVAL/);
    } finally {
      rmSync(path);
    }
    expect(readdirSync(directory).filter((file) => file.includes(name))).toEqual([]);
  });
});
