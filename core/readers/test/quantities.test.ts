import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Quantity } from '@deadheat/model';
import { afterAll, describe, expect, it } from 'vitest';
import { analyseImported } from '../src/analyse-imported.ts';

const folder = mkdtempSync(join(tmpdir(), 'deadheat-quantities-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function quantitiesOf(a: string, b: string): Promise<readonly Quantity[]> {
  const reading = { A: {}, B: {} };
  const { comparisons } = await analyseImported({ paths: [a, b], reading, tool: { name: 'deadheat', version: '0' } });
  return comparisons[0]?.quantities ?? [];
}

function goText(lines: readonly string[]): string {
  return `${lines.map((metrics, line) => `BenchmarkSort-2 1000 ${1000 + line} ns/op ${metrics}`).join('\n')}\nok x 1s\n`;
}

describe('quantities of go test -bench', () => {
  it('are compared by their units', async () => {
    const A = ['16 B/op 1 allocs/op', '16 B/op 1 allocs/op', '16 B/op 1 allocs/op', '16 B/op 1 allocs/op'];
    const B = A.map((line) => line.replace('16 B/op', '32 B/op'));
    const found = await quantitiesOf(write('a.txt', goText(A)), write('b.txt', goText(B)));
    expect(found.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['B/op', 'more'],
      ['allocs/op', 'same'],
    ]);
    expect(found[0]).toMatchObject({ A: { mean: 16, samples: 4 }, B: { mean: 32 }, ratio: { estimate: 2 } });
    // Rounded to whole numbers: 32/16 is not known to the last digit.
    expect(found[0]?.ratio?.low).toBeLessThan(2);
  });

  it('are undecided with a line a side, which shows no scatter', async () => {
    const found = await quantitiesOf(
      write('one-a.txt', goText(['16 B/op', '18 B/op']).replace(' 18 B/op', '')),
      write('one-b.txt', goText(['32 B/op', '18 B/op']).replace(' 18 B/op', '')),
    );
    expect(found).toMatchObject([{ name: 'B/op', verdict: 'undecided', ratio: { low: 0, high: Number.MAX_VALUE } }]);
  });

  it('say so where there was none before', async () => {
    const [none, one] = ['0 allocs/op', '1 allocs/op'].map((text) => goText(Array.from({ length: 6 }, () => text)));
    const found = await quantitiesOf(write('none.txt', none ?? ''), write('some.txt', one ?? ''));
    expect(found).toMatchObject([{ name: 'allocs/op', ratio: null, verdict: 'more' }]);
  });
});

describe('secondary metrics of JMH', () => {
  function jmhText(rates: readonly (readonly number[])[], own: object = {}): string {
    const times = rates.map((fork) => fork.map((_, at) => 100 + at));
    return JSON.stringify([
      {
        jmhVersion: '1.35',
        benchmark: 'org.Sort',
        mode: 'avgt',
        threads: 1,
        primaryMetric: { score: 100, scoreUnit: 'ns/op', rawData: times },
        secondaryMetrics: {
          '\u00b7gc.alloc.rate.norm': { score: 1, scoreUnit: 'B/op', rawData: rates, scoreError: 'NaN' },
          'Sort:p0.50': { score: 1, scoreUnit: 'ns/op', rawData: rates },
          ...own,
        },
      },
    ]);
  }

  it('are compared by the means of forks, without percentiles of the times', async () => {
    const found = await quantitiesOf(
      write(
        'a.json',
        jmhText([
          [24.1, 24.3],
          [24.2, 24.2],
          [24.1, 24.1],
        ]),
      ),
      write(
        'b.json',
        jmhText([
          [48.1, 48.3],
          [48.2, 48.2],
          [48.1, 48.1],
        ]),
      ),
    );
    expect(found).toMatchObject([
      { name: 'gc.alloc.rate.norm', unit: 'B/op', A: { samples: 3 }, B: { samples: 3 }, verdict: 'more' },
    ]);
    expect(found[0]?.A.mean).toBeCloseTo((24.2 + 24.2 + 24.1) / 3, 10);
  });

  it('are compared in whatever unit of time each file has them', async () => {
    const rates = [[24], [25], [26], [27]];
    const text = (time: number, scoreUnit: string, rateUnit: string): string =>
      jmhText(rates, {
        put: { scoreUnit, rawData: rates.map(([rate = 0]) => [rate * time]) },
        hits: { scoreUnit: rateUnit, rawData: rates.map(([rate = 0]) => [rate / time]) },
      });
    const found = await quantitiesOf(
      write('ns.json', text(1, 'ns/op', 'ops/ns')),
      write('us.json', text(0.002, 'us/op', 'ops/us')),
    );
    expect(found.map(({ name, unit, ratio }) => [name, unit, ratio?.estimate.toFixed(6)])).toEqual([
      ['gc.alloc.rate.norm', 'B/op', '1.000000'],
      ['put', 'ns/op', '2.000000'],
      ['hits', 'ops/s', '0.500000'],
    ]);
  });
});

describe('heap of mitata', () => {
  function mitataText(heap: number): string {
    const stats = { avg: 5, min: 4, max: 9, p50: 5, samples: [4, 5, 6, 9], heap: { _: 4, total: heap * 4, avg: heap } };
    const benchmarks = [{ alias: 'sort', runs: [{ name: 'sort', args: {}, stats }] }];
    return JSON.stringify({ layout: [], benchmarks });
  }

  it('is compared over the files of a folder, each of which is a run', async () => {
    for (const [side, heap] of [
      ['A', 1000],
      ['B', 1500],
    ] as const) {
      for (let file = 0; file < 4; file += 1) write(`mitata-${side}/${file}.json`, mitataText(heap + file));
    }
    const found = await quantitiesOf(join(folder, 'mitata-A'), join(folder, 'mitata-B'));
    expect(found).toMatchObject([{ name: 'heap', unit: 'B/iter', A: { mean: 1001.5, samples: 4 }, verdict: 'more' }]);
  });
});
