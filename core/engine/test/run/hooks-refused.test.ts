import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Hooks, runArtifact } from '../../src/run/hooks.ts';
import { experiment } from '../../../recording/test/sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'deadheat-hooks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [first] = experiment.config.benchmarks;
if (first === undefined) throw new RangeError('the sample has no benchmark');
const benchmark = first;
const none = { build: null, setup: null, prepare: null, conclude: null, cleanup: null };

function prepare(commandLine: string, workingDirectory: string | null): ReturnType<Hooks['run']> {
  const hooks = { ...none, prepare: commandLine };
  const both = { A: workingDirectory, B: workingDirectory };
  return new Hooks({ output: 'null', inherited: process.env, onStart: () => {} }).run('prepare', {
    benchmark: { ...benchmark, hooks: { A: hooks, B: hooks }, workingDirectory: both },
    side: 'A',
  });
}

function keep(commandLine: string, file: string): Promise<string | null> {
  return runArtifact(commandLine, { file, signal: new AbortController().signal });
}

describe('a hook that cannot be started', () => {
  it('fails with its folder where that is gone', async () => {
    const gone = join(folder, 'gone');
    const failure = await prepare('true', gone);
    expect(failure).toMatchObject({ side: 'A', code: 'HOOK_FAILED' });
    expect(failure?.message).toContain(
      `The prepare command of A cannot be started in ${gone} (spawn /bin/sh ENOENT): true`,
    );
  });

  it('fails where it is too long, or holds a NUL', async () => {
    expect(await prepare(`true ${'x'.repeat(1 << 20)}`, null)).toMatchObject({ code: 'HOOK_FAILED' });
    expect(await prepare('true \0', null)).toMatchObject({ code: 'HOOK_FAILED' });
  });
});

describe('the file of an artifact', () => {
  it('says why it cannot be written', async () => {
    expect(await keep('true', join(folder, 'x'.repeat(300)))).toContain('ENAMETOOLONG');
    expect(await keep(`true ${'x'.repeat(1 << 20)}`, '/dev/null')).toContain('E2BIG');
    expect(readFileSync('/dev/null', 'utf8')).toBe('');
  });
});
