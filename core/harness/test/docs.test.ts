import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWorkloadRecord } from '@deadheat/recording';
import { describe, expect, it } from 'vitest';
import { start } from './support.ts';

function dist(path: string): string {
  return new URL(`../dist/${path}`, import.meta.url).href;
}

function examplesOf(path: string): readonly string[] {
  return [...readFileSync(new URL(path, import.meta.url), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(
    ([, code = '']) =>
      code
        .replace(/'@deadheat\/harness\/(\w+)'/, (_, adapter: string) => `'${dist(`${adapter}/index.js`)}'`)
        .replace("'@deadheat/harness'", `'${dist('index.js')}'`),
  );
}

/** Runs an example for three iterations; gives its benchmarks with their parameters as the record has them. */
async function benchmarksOf(example: string): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-harness-docs-'));
  try {
    const program = join(folder, 'bench.mjs');
    const record = join(folder, 'record.jsonl');
    writeFileSync(program, example);
    const { status, stderr } = await start(program, {
      DEADHEAT_RECORD: record,
      DEADHEAT_ITERATIONS: '3',
    }).ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { benchmarks } = await readWorkloadRecord(record);
    expect(benchmarks.map(({ iterations }) => iterations.length)).toEqual(benchmarks.map(() => 3));
    return benchmarks.map(({ benchmark, params }) => [benchmark, ...Object.values(params)].join(' '));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const expected: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '../../../docs/harness.md': [
    ['parse'],
    ['sort 100 ascending', 'sort 100 descending', 'sort 1000 ascending', 'sort 1000 descending'],
    ['read'],
    ['fill arrays', 'from arrays'],
    ['fill $size arrays 10', 'fill $size arrays 100'],
  ],
  '../README.md': [['parse 10', 'parse 1000']],
};

describe.each(Object.entries(expected))('%s', (path, names) => {
  it('has only examples that do what they say', async () => {
    const seen: (readonly string[])[] = [];
    for (const example of examplesOf(path)) seen.push(await benchmarksOf(example));
    expect(seen).toEqual(names);
  });
});

describe('docs/harness.md', () => {
  it('has every option in its table', () => {
    const text = readFileSync(new URL('../../../docs/harness.md', import.meta.url), 'utf8');
    const source = readFileSync(new URL('../src/benchmark.ts', import.meta.url), 'utf8');
    const [, options = ''] = /export interface BenchOptions[^{]*\{([\s\S]*?)\n\}/.exec(source) ?? [];
    const names = [...options.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name);
    const table = [...text.matchAll(/^\| `(\w+)/gm)].map(([, name]) => name);
    expect(table).toEqual(names);
    expect(names).toContain('iterationTime');
  });
});
