import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchmarkDefaults, type Benchmark, type Command } from '@deadheat/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SideFolders } from '../../src/run/side-folders.ts';

let source: string;
let folders: SideFolders | undefined;
beforeEach(() => {
  source = mkdtempSync(join(tmpdir(), 'side-folders-test-'));
});
afterEach(async () => {
  await folders?.remove();
  rmSync(source, { recursive: true });
});

const command = (program: string): Command => ({
  name: 'x',
  commandLine: 'x',
  argv: [program, '--out', join(source, 'out')],
  executedBy: 'direct',
});

const benchmark = (changes: Partial<Benchmark> = {}): Benchmark => ({
  ...benchmarkDefaults,
  name: 'one',
  commands: { A: command('/bin/true'), B: command('/bin/true') },
  ...changes,
});

describe('the folders of the sides', () => {
  it('are one for temporary files each, of the same length, and removed in the end', async () => {
    folders = await SideFolders.make([benchmark()]);
    const { environment, workingDirectory, commands } = folders.place(benchmark());
    const [a, b] = [environment.A['TMPDIR'] ?? '', environment.B['TMPDIR'] ?? ''];
    expect([existsSync(a), existsSync(b)]).toEqual([true, true]);
    expect(a).not.toBe(b);
    expect(a.length).toBe(b.length);
    expect(a.startsWith(tmpdir())).toBe(true);
    expect(workingDirectory).toEqual({ A: null, B: null });
    expect(commands).toEqual(benchmark().commands);
    writeFileSync(join(a, 'left'), 'x');
    await folders.remove();
    expect(existsSync(a)).toBe(false);
  });

  it('leave the TMPDIR that the benchmark sets', async () => {
    folders = await SideFolders.make([]);
    const placed = folders.place(benchmark({ environment: { A: { TMPDIR: '/var/tmp' }, B: { X: '1' } } }));
    expect(placed.environment.A).toEqual({ TMPDIR: '/var/tmp' });
    expect(placed.environment.B).toMatchObject({ X: '1', TMPDIR: expect.stringMatching(/B\/tmp$/) as string });
  });

  it('are copies of the scratch folder, in which the program is and is executed', async () => {
    mkdirSync(join(source, 'sub'));
    mkdirSync(join(source, '.deadheat'));
    writeFileSync(join(source, 'sub', 'prog'), 'text', { mode: 0o755 });
    writeFileSync(join(source, '.deadheat', 'recording'), 'old');
    symlinkSync('sub/prog', join(source, 'link'));
    const one = benchmark({
      scratch: { A: source, B: source },
      workingDirectory: { A: join(source, 'sub'), B: '/elsewhere' },
      commands: { A: command(join(source, 'sub', 'prog')), B: command('/bin/true') },
    });
    folders = await SideFolders.make([one, { ...one, name: 'two' }]);
    const { workingDirectory, commands } = folders.place(one);
    const { A, B } = workingDirectory as Record<'A' | 'B', string>;
    expect(A.endsWith('/A/scratch-0/sub')).toBe(true);
    // Who is executed elsewhere is executed in the copy instead.
    expect(B.endsWith('/B/scratch-0')).toBe(true);
    expect(readFileSync(join(B, 'link'), 'utf8')).toBe('text');
    expect(existsSync(join(B, '.deadheat'))).toBe(false);
    expect(commands.A.argv).toEqual([join(A, 'prog'), '--out', join(source, 'out')]);
    expect(commands.B.argv[0]).toBe('/bin/true');
    // The same folder is copied once for each side, however many benchmarks name it.
    expect(folders.place({ ...one, name: 'two' }).workingDirectory.B).toBe(B);
    writeFileSync(join(A, 'prog'), 'changed');
    expect(readFileSync(join(B, 'sub', 'prog'), 'utf8')).toBe('text');
    expect(readFileSync(join(source, 'sub', 'prog'), 'utf8')).toBe('text');
  });

  it('are refused with the reason where the folder cannot be copied', async () => {
    const missing = benchmark({ scratch: { A: join(source, 'none'), B: null } });
    await expect(SideFolders.make([missing])).rejects.toMatchObject({
      code: 'SCRATCH_FAILED',
      message: expect.stringContaining(join(source, 'none')) as string,
    });
  });
});
