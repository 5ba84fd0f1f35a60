import { resourcesOf, type ExperimentConfig, type Method, type SideResult } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { compareBenchmark } from '../src/compare/compare-benchmark.ts';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { aBenchmark, aConfig, aSide, aTrial, iterationsOf } from './helpers/recordings.ts';

const mebibyte = 2 ** 20;
const runs = 24;

/** Runs of 10 ms on both sides, where the sides use what `of` says of a run. */
function compare(
  of: (run: number) => Readonly<Record<'A' | 'B', Partial<SideResult>>>,
  { method = 'sync-duet', ...config }: Partial<ExperimentConfig> & { readonly method?: Method } = {},
) {
  const times = (run: number) => iterationsOf([10e6 + 1000 * ((run * 7) % 5)], { cpu: 1 });
  const trials = Array.from({ length: runs }, (_, run) =>
    aTrial({
      run,
      method,
      order: run % 2 === 0 ? 'AB' : 'BA',
      sides: {
        A: aSide(times(run), { cpu: method === 'tandem' ? 0 : run % 2, ...of(run).A }),
        B: aSide(times(run + 1), { cpu: method === 'tandem' ? 0 : 1 - (run % 2), ...of(run).B }),
      },
    }),
  );
  const benchmark = aBenchmark();
  return compareBenchmark({
    runs: measuredRuns(trials),
    benchmark,
    config: aConfig({ method, metric: method === 'tandem' ? 'auto' : 'time', ...config }),
  });
}

function memory(A: number, B: number) {
  return (run: number) => ({
    A: { maxRssBytes: Math.round(A * mebibyte) + 4096 * (run % 3) },
    B: { maxRssBytes: Math.round(B * mebibyte) + 4096 * ((run + 1) % 3) },
  });
}

describe.each(['sync-duet', 'sequential', 'tandem'] as const)('memory in %s', (method) => {
  it('decides when it is asked for, and time stands beside it', () => {
    const found = compare(memory(100, 110), { method, metric: 'rss' });
    expect(found).toMatchObject({ metric: 'rss', verdict: 'slower', warnings: [] });
    expect(found.interval.estimate).toBeCloseTo(1.1, 3);
    expect(found.interval.low).toBeGreaterThan(1.09);
    expect(found.resources?.[0]?.B).toBeCloseTo(110 * mebibyte, -5);
    expect(found.otherMetrics.map(({ metric }) => metric)).toContain('cpu');
  });

  it('stands beside time, which decides', () => {
    const found = compare(memory(100, 110), { method, also: ['rss'] });
    expect(found.metric).toBe(method === 'tandem' ? 'cpu' : 'time');
    expect(found.otherMetrics.find(({ metric }) => metric === 'rss')).toMatchObject({ verdict: 'slower' });
  });

  it('is the same on both sides without any spread, and differs by a page without any', () => {
    const same = compare(() => ({ A: { maxRssBytes: mebibyte }, B: { maxRssBytes: mebibyte } }), {
      method,
      metric: 'rss',
    });
    expect(same.interval).toMatchObject({ estimate: 1, low: 1, high: 1 });
    expect(same.verdict).toBe('dead-heat');
    const page = compare(() => ({ A: { maxRssBytes: mebibyte }, B: { maxRssBytes: mebibyte + 4096 } }), {
      method,
      metric: 'rss',
    });
    expect(page.interval.estimate).toBeCloseTo(1 + 4096 / mebibyte, 6);
    expect(page.verdict).toBe('slower');
  });
});

describe('resources', () => {
  it('that were not measured leave the decision to time, with a warning', () => {
    const found = compare(() => ({ A: {}, B: {} }), { metric: 'rss', also: ['instructions'] });
    expect(found.metric).not.toBe('rss');
    expect(found.resources).toBeUndefined();
    const missing = found.warnings.filter(({ code }) => code === 'METRIC_UNAVAILABLE');
    expect(missing).toHaveLength(2);
    expect(missing[0]?.message).toMatch(/^peak memory \(rss\) was not measured .* decides; /);
    expect(missing[1]?.message).toMatch(/^instructions could not be counted/);
  });

  it('that are counted are compared an execution', () => {
    const found = compare(
      (run) => ({
        A: {
          pageFaults: 300,
          voluntarySwitches: 3,
          involuntarySwitches: 1,
          counters: { instructions: 1_000_000 + run },
        },
        B: {
          pageFaults: 330,
          voluntarySwitches: 1,
          involuntarySwitches: 1,
          counters: { instructions: 1_020_000 + run },
        },
      }),
      { also: ['faults', 'switches', 'instructions'] },
    );
    expect(found.resources).toMatchObject([
      { metric: 'faults', A: 300, B: 330 },
      { metric: 'switches', A: 4, B: 2 },
      { metric: 'instructions' },
    ]);
    expect(found.otherMetrics.find(({ metric }) => metric === 'instructions')?.interval.estimate).toBeCloseTo(1.02, 4);
  });

  /** Counting runs beside the judged ones, in which the sides did this work. */
  function counted(instructions: readonly (readonly [number, number])[], config: Partial<ExperimentConfig> = {}) {
    const judged = Array.from({ length: runs }, (_, run) =>
      aTrial({
        run,
        sides: { A: aSide(iterationsOf([10e6 + run])), B: aSide(iterationsOf([10e6 + (run % 3)])) },
      }),
    );
    const counting = instructions.map(([A, B], run) =>
      aTrial({
        run,
        method: 'sequential',
        phase: 'pilot',
        counting: true,
        sides: {
          A: aSide(iterationsOf([900e6]), { counts: { instructions: A, allocations: 7 } }),
          B: aSide(iterationsOf([100e6]), { counts: { instructions: B, allocations: 8 } }),
        },
      }),
    );
    return compareBenchmark({
      runs: measuredRuns([...counting, ...judged]),
      benchmark: aBenchmark(),
      config: aConfig({ also: ['instructions', 'allocations'], ...config }),
    });
  }

  it('that valgrind counted are compared over the counting runs alone, whose times are not judged', () => {
    const found = counted([
      [1000, 1010],
      [1000, 1010],
    ]);
    expect(found.interval.estimate).toBeCloseTo(1, 4);
    expect(found.runs).toBe(runs);
    const [instructions, allocations] = ['instructions', 'allocations'].map((name) =>
      found.otherMetrics.find(({ metric }) => metric === name),
    );
    expect(instructions).toMatchObject({ verdict: 'slower', counting: { runs: 2, repeats: true } });
    for (const end of ['estimate', 'low', 'high'] as const) expect(instructions?.interval[end]).toBeCloseTo(1.01, 12);
    expect(allocations?.interval.low).toBeCloseTo(8 / 7, 12);
    expect(found.resources).toContainEqual({ metric: 'allocations', A: 7, B: 8 });
  });

  it('that valgrind counted and that vary have an interval of as many runs as counted them', () => {
    const found = counted([
      [1000, 1011],
      [1001, 1009],
      [1002, 1012],
      [999, 1010],
    ]).otherMetrics.find(({ metric }) => metric === 'instructions');
    expect(found).toMatchObject({ counting: { runs: 4, repeats: false } });
    expect(found?.interval.low).toBeLessThan(1.008);
    expect(found?.interval.low).toBeGreaterThan(1.003);
    expect(found?.interval.high).toBeLessThan(1.016);
  });

  it('that one counting run counted, or none, are not compared, which is a warning', () => {
    for (const found of [counted([[1000, 1010]]), counted([])]) {
      expect(found.otherMetrics.map(({ metric }) => metric)).not.toContain('instructions');
      const codes = found.warnings.map(({ code, message }) => `${code} ${message}`);
      expect(codes.filter((one) => /METRIC_UNAVAILABLE.*valgrind/s.test(one))).toHaveLength(2);
    }
  });

  it('that are the same on both sides exclude any increase', () => {
    const found = counted([
      [1000, 1000],
      [1000, 1000],
    ]).otherMetrics.find(({ metric }) => metric === 'instructions');
    expect(found).toMatchObject({ verdict: 'dead-heat', interval: { low: 1, high: 1 } });
  });

  it('are measured once, though they decide and are named beside', () => {
    expect(resourcesOf({ metric: 'rss', also: ['rss', 'faults'] })).toEqual(['rss', 'faults']);
    expect(resourcesOf({ metric: 'time' })).toEqual([]);
  });
});
