import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { resolve } from '../src/hook/resolve.ts';
import { takePartIn, type Taken } from './support.ts';

const folder = fileURLToPath(new URL('fixtures/unedited', import.meta.url));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

function takePart(args: readonly string[], variables?: Readonly<Record<string, string>>): Promise<Taken> {
  return takePartIn(folder, args, variables === undefined ? {} : { variables });
}

describe('files as they are', () => {
  it('of tinybench and mitata take part', async () => {
    const { ended, benchmarks } = await takePart(['bench.mjs']);
    expect(ended).toEqual({ status: 0, stdout: '3\n', stderr: '' });
    expect(benchmarks).toEqual([
      ['reverse', { bench: 'arrays' }, 3],
      ['parse', { group: 'objects' }, 3],
    ]);
  });

  it('of vitest take part, in the order of their paths, each in a process of its own', async () => {
    const { ended, benchmarks, invocations } = await takePart([vitest, 'bench']);
    expect(ended.status).toBe(0);
    // The other file is larger, which vitest itself would begin with.
    expect(benchmarks).toEqual([
      ['sort', { file: 'early.bench.ts' }, 3],
      ['fails', { file: 'early.bench.ts' }, 3],
      ['sort', { file: 'later.bench.ts', group: 'arrays > of numbers' }, 3],
      ['once', { file: 'later.bench.ts' }, 3],
    ]);
    // 9 invocations were asked for, without a time.
    expect(invocations.at(-1)).toBe(3);
    expect(ended.stdout.match(/set up|torn down/g)).toEqual(['set up', 'torn down']);
    expect(ended.stdout).toMatch(/· once +[\d.,]+/);
  });

  it('of vitest fail with the name of the benchmark', async () => {
    const { ended, benchmarks } = await takePart([vitest, 'bench', 'early'], { FAILS: '1' });
    expect(ended.status).toBe(1);
    expect(ended.stderr).toContain("benchmark 'fails', file=early.bench.ts failed: on purpose");
    expect(benchmarks).toEqual([['sort', { file: 'early.bench.ts' }, 3]]);
  });
});

describe('the hook', () => {
  const project = 'file:///project/bench.js';
  const own = import.meta.resolve('../src/tinybench/bench.ts');
  function resolved(specifier: string, parentURL: string, conditions: readonly string[] = ['node', 'import']): string {
    function next(name: string, context?: { readonly parentURL?: string | undefined }): { readonly url: string } {
      return { url: `${name} of ${context?.parentURL ?? ''}` };
    }

    const result = resolve(specifier, { conditions, parentURL }, next);
    if ('then' in result) throw new Error('it must not wait where the next hook does not');
    return result.url;
  }

  it('gives a program the adapter, and the adapter the library of the program', () => {
    expect(resolved('tinybench', project)).toMatch(/\/harness\/src\/tinybench\/index\.js$/);
    expect(resolved('tinybench', own)).toBe(`tinybench of ${project}`);
    expect(resolved('mitata', project)).toMatch(/\/harness\/src\/mitata\/index\.js$/);
  });

  it('leaves alone what is required, what vitest has for itself, and everything else', () => {
    const runner = 'file:///project/node_modules/vitest/dist/chunks/test.js';
    expect(resolved('mitata', project, ['node', 'require'])).toBe(`mitata of ${project}`);
    expect(resolved('tinybench', runner)).toBe(`tinybench of ${runner}`);
    expect(resolved('vite', project)).toBe(`vite of ${project}`);
    expect(resolved('vite', runner)).toMatch(/\/harness\/src\/hook\/vite\.js$/);
    expect(resolved('./other.js', project)).toBe(`./other.js of ${project}`);
  });

  it('refuses a release of tinybench that its adapter does not understand', () => {
    const url = pathToFileURL(join(dirname(vitest), 'node_modules/tinybench/dist/index.js')).href;
    expect(() => resolve('tinybench', { conditions: ['import'], parentURL: project }, () => ({ url }))).toThrow(
      /understands tinybench 6, and this program imports tinybench 2\./,
    );
  });
});
