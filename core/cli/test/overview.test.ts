import type { Comparison } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { renderReport } from '../../report/src/text/render-report.ts';
import type { TerminalStyle } from '../src/terminal/style.ts';
import { expectGolden } from './support-golden.ts';
import {
  aComparison,
  aDeadHeat,
  aLargeDifference,
  anUndecided,
  aReport,
  aSide,
} from '../../report/test/support-report.ts';

const plain: TerminalStyle = { color: false, interactive: false, width: null, quiet: false };
const alloc = { name: 'allocs/op', unit: null, A: { mean: 1, samples: 8 }, B: { mean: 2, samples: 8 } } as const;
const ratio = { estimate: 2, low: 1.8, high: 2.2, level: 0.99 };

const four = [
  aComparison({ benchmark: 'sort', quantities: [{ ...alloc, ratio, verdict: 'more' }] }),
  aDeadHeat({ benchmark: 'search', quantities: [{ ...alloc, B: alloc.A, ratio: null, verdict: 'same' }] }),
  anUndecided({ benchmark: 'parse', warnings: [{ code: 'FEW_RUNS', message: 'parse has few runs; make more' }] }),
  aLargeDifference(0.5, {
    benchmark: 'hash',
    params: { size: '10' },
    pValues: { slower: 1 - 1e-6, faster: 1e-6, least: 0, gate: { slower: 1 - 1e-6, faster: 1e-6 } },
    warnings: [{ code: 'FEW_RUNS', message: 'hash has few runs; make more' }],
  }),
];

/** Four commands against `gzip`. */
function contenders(): readonly Comparison[] {
  const A = aSide({ command: 'gzip', name: 'gzip', mean: 0.012 });
  return [
    aLargeDifference(2, { benchmark: 'gzip vs xz', sides: { A, B: aSide({ command: 'xz', mean: 0.024 }) } }),
    aLargeDifference(0.5, {
      benchmark: 'gzip vs lz4',
      sides: { A, B: aSide({ command: 'lz4', mean: 0.006 }) },
      pValues: { slower: 1 - 1e-6, faster: 1e-6, least: 0, gate: { slower: 1 - 1e-6, faster: 1e-6 } },
    }),
    aDeadHeat({ benchmark: 'gzip vs pigz', sides: { A, B: aSide({ command: 'pigz', mean: 0.0121 }) } }),
  ];
}

function namesIn(text: string): readonly string[] {
  const rows = text.split('\n');
  const head = rows.findIndex((line) => /^(benchmark|command) /.test(line));
  const end = rows.findIndex((line) => line.includes(' CI, '));
  return rows.slice(head + 1, end).map((line) => line.split(/ {2,}/)[0] ?? '');
}

describe('several benchmarks', () => {
  it('are a table with the geometric mean, quantities, and every warning once a code', () => {
    expectGolden('overview.txt', renderReport(aReport(four), { ...plain, width: 100 }));
  });

  it('fit every width', () => {
    for (const width of [40, 60, 80]) {
      const lines = renderReport(aReport(four), { ...plain, width }).split('\n');
      // The folder of the recording is one word and stays whole.
      expect(lines.filter((line) => line.length > width && !line.includes('.deadheat/'))).toEqual([]);
    }
  });

  it('are sorted as asked', () => {
    const sorted = (sort: 'verdict' | 'name' | 'ratio' | 'auto'): readonly string[] =>
      namesIn(renderReport(aReport(four), plain, { sort })).slice(0, 4);
    expect(sorted('auto')).toEqual(['sort', 'search', 'parse', 'hash size=10']);
    expect(sorted('name')).toEqual(['hash size=10', 'parse', 'search', 'sort']);
    expect(sorted('ratio')).toEqual(['hash size=10', 'search', 'parse', 'sort']);
    expect(sorted('verdict')).toEqual(['sort', 'parse', 'hash size=10', 'search']);
  });

  it('have all times in the unit that is asked for', () => {
    const text = renderReport(aReport(four), plain, { timeUnit: 'µs' });
    expect(text).toMatch(/^sort +12200 µs +12490 µs /m);
  });

  it('keep a thousand within 1 100 lines', () => {
    const codes = ['FEW_RUNS', 'TREND', 'RUNS_CORRELATED'] as const;
    const many = Array.from({ length: 1000 }, (_, index) =>
      (index % 3 === 0 ? aComparison : aDeadHeat)({
        benchmark: `benchmark ${index}`,
        quantities: ['B/op', 'allocs/op', 'MB/s'].map((name) => ({ ...alloc, name, ratio, verdict: 'more' as const })),
        warnings: codes.map((code) => ({ code, message: `benchmark ${index} has something to say about itself` })),
      }),
    );
    const report = aReport(many);
    const benchmarks = report.gate.benchmarks.map((one) => ({ ...one, slower: false }));
    const text = renderReport({ ...report, gate: { ...report.gate, benchmarks } }, { ...plain, width: 80 });
    expect(text.split('\n').length).toBeLessThanOrEqual(1100);
    expect(text).toContain('warning FEW_RUNS: in 1000 of 1000 benchmarks');
  });
});

describe('benchmarks that were measured by several methods', () => {
  const few = (name: string, method: Comparison['method']) => `${name}: 1 usable runs of ${method}; give it more`;
  const both = (['sort', 'search'] as const).flatMap((benchmark) =>
    (['sync-duet', 'tandem'] as const).map((method) =>
      aComparison({
        benchmark,
        method,
        warnings: [{ code: 'TREND', message: `${benchmark} by ${method}` }],
        interval: { ...aComparison().interval, estimate: method === 'tandem' ? 2 : 1.1 },
      }),
    ),
  );
  const report = aReport(both);
  const left = { ...report.gate.benchmarks[0]!, method: 'async-duet', outcome: 'not-measured', slower: false } as const;
  const missed = {
    ...report,
    gate: {
      ...report.gate,
      benchmarks: [...report.gate.benchmarks, left, { ...left, benchmark: 'search' }],
    },
    warnings: (['sort', 'search'] as const).map((name) => ({
      code: 'FEW_RUNS' as const,
      message: few(name, 'async-duet'),
    })),
  };
  const text = renderReport(missed, plain);

  it('have a column for the method, and a geometric mean for each', () => {
    expect(text).toMatch(/^benchmark +method +A /m);
    expect(text).toMatch(/^sort +sync-duet +/m);
    expect(text).toMatch(/^sort +tandem +/m);
    expect(text).toMatch(/^geometric mean +sync-duet +\+10\.0 %$/m);
    expect(text).toMatch(/^geometric mean +tandem +\+100\.0 %$/m);
    expect(text.match(/^geometric mean/gm)).toHaveLength(2);
    expect(renderReport(missed, { ...plain, width: 40 })).toContain('sort, tandem');
  });

  it('are in the table with a method that had too few runs, and each says so', () => {
    expect(text).toMatch(/^sort +async-duet +not compared: too few runs$/m);
    expect(text).toMatch(/^search +async-duet +not compared: too few runs$/m);
    for (const name of ['sort', 'search']) expect(text).toContain(few(name, 'async-duet').split(';')[0]);
    const alone = aReport(both.slice(0, 1));
    const one = { ...alone, gate: { ...alone.gate, benchmarks: [...alone.gate.benchmarks, left] } };
    expect(renderReport(one, plain)).toMatch(/^sort +async-duet +not compared/m);
  });

  it('that could not be compared at all leave the reason', () => {
    const none = { ...missed, comparisons: [], gate: { ...missed.gate, benchmarks: [] } };
    expect(renderReport(none, plain)).toContain(`warning FEW_RUNS: ${few('sort', 'async-duet')}`);
  });

  it('are counted once, whatever the number of methods', () => {
    expect(text).toContain('warning TREND: in 2 of 2 benchmarks, first sort (sync-duet)');
    expect(text).toContain('sort (sync-duet), sort (tandem)');
  });
});

describe('commands against the same one', () => {
  it('are ranked, with that one where it belongs', () => {
    const text = renderReport(aReport(contenders()), { ...plain, width: 100 });
    expectGolden('overview-ranking.txt', text);
    expect(namesIn(text)).toEqual(['lz4', 'A', 'pigz', 'xz']);
  });

  it('are told where one does not count among so many', () => {
    const close = contenders().map((one) =>
      one.verdict === 'faster'
        ? { ...one, pValues: { slower: 0.996, faster: 0.004, least: 0, gate: { slower: 0.996, faster: 0.004 } } }
        : one,
    );
    // Holm over three: 3 x 0.004 = 0.012, above half of 1 - 0.99.
    expect(renderReport(aReport(close), plain)).toMatch(/^lz4 .* FASTER, not counted$/m);
  });
});
