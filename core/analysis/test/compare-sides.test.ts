import { reportSchema, type Comparison, type ExperimentConfig } from '@deadheat/model';
import { binomialQuantile, createRandom, mean } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import { AnalysisError } from '../src/analysis-error.ts';
import { columnsOf } from '../src/columns/measured-runs.ts';
import { compareSides, unitColumns, type SideRuns } from '../src/compare/compare-sides.ts';
import { compareSummaries, type TimesSummary } from '../src/compare/compare-summaries.ts';
import { sequentialRatioInterval } from '../src/interval/sequential-ratio-interval.ts';
import { aBenchmark, aConfig, iterationsOf } from './helpers/recordings.ts';

const config = (changes: Partial<ExperimentConfig> = {}): ExperimentConfig =>
  aConfig({ method: 'sequential', confidence: 0.95, interval: 't', ...changes });
const side = (runs: readonly (readonly number[])[], isSorted = false): SideRuns => ({
  runs: runs.map((times) => columnsOf(iterationsOf(times))),
  isSorted,
});
const compare = (A: SideRuns, B: SideRuns, changes: Partial<ExperimentConfig> = {}): Comparison =>
  compareSides({ sides: { A, B }, benchmark: aBenchmark({ workload: 'harness' }), config: config(changes) });
const codes = ({ warnings }: Comparison): string[] => warnings.map(({ code }) => code);

const random = createRandom('sides');
const runsOf = (count: number, base: number): number[][] =>
  Array.from({ length: count }, () => {
    const ofRun = base * Math.exp(0.02 * random.normal());
    return Array.from({ length: 3 }, () => Math.round(ofRun * Math.exp(0.001 * random.normal())));
  });

/** Samples of one run: the program's 70 µs with a little noise, and preemptions of some ms in so many of them, the last. */
const preempted = (scale: number, count: number): number[] => {
  const noise = createRandom(`preempted ${scale} ${count}`);
  return Array.from({ length: 1000 }, (_, k) =>
    Math.round(70_000 * scale * Math.exp(0.004 * noise.normal()) + (k < 1000 - count ? 0 : 1.5e8)),
  );
};

describe('files of one run whose iterations were preempted now and then', () => {
  const asked = { interval: 'rank', confidence: 0.99 } as const;

  it('are judged by the medians, where one far time of A and eight of B made a mean of +1985 %', () => {
    const found = compare(side([preempted(1, 1)], true), side([preempted(1.05, 8)], true), asked);
    expect(found.verdict).toBe('slower');
    expect(found.interval.estimate).toBeCloseTo(1.05, 2);
    expect(found.interval.high).toBeLessThan(1.1);
    expect(found.decided?.B.typical).toBeCloseTo(73_500, -3);
    expect(found.discarded.outliers).toBe(0);
    expect(compare(side([preempted(1, 1)], true), side([preempted(1.0001, 8)], true), asked).verdict).toBe('undecided');
  });

  it('differ by nothing where a core was slow for most of one run: the fastest iterations bear no difference out', () => {
    const slow = preempted(1, 3).map((ns, k) => (k % 3 === 0 ? ns : 1.35 * ns));
    const found = compare(side([preempted(1, 3)]), side([slow]), asked);
    expect(found.verdict).toBe('undecided');
    expect(found.interval.low).toBeLessThan(1);
    expect(found.interval.high).toBeGreaterThan(1.3);
  });

  it('differ by nothing where one run had a core for itself in few of its iterations only', () => {
    const fast = Array.from({ length: 5 }, (_, k) => preempted(1, k)).flat();
    const slow = fast.map((ns, k) => (k % 250 === 0 ? ns : 1.3 * ns));
    expect(compare(side([fast]), side([slow]), asked).verdict).toBe('undecided');
  });

  it('are judged by how far runs of such programs deviate', () => {
    const of = (scale: number): SideRuns => ({ ...side([preempted(scale, 3)], true), deviationOfRuns: 0.04 });
    const [wide, narrow] = [
      compare(of(1), of(1.05), asked),
      compare(side([preempted(1, 3)], true), side([preempted(1.05, 3)], true), asked),
    ];
    expect([wide.verdict, narrow.verdict]).toEqual(['undecided', 'slower']);
    expect(Math.log(wide.interval.high / wide.interval.low) / 2).toBeCloseTo(2.576 * Math.SQRT2 * 0.04, 2);
    expect(wide.warnings[0]?.message).toContain('to differ by 4 %');
  });

  it('are judged by the medians of their summaries as well', () => {
    const summary = (times: readonly number[]): TimesSummary => {
      const sorted = times.toSorted((left, right) => left - right);
      return {
        meanNs: mean(times),
        standardDeviationNs: 2e6,
        samples: times.length,
        medianNs: sorted[500]!,
        spreadNs: 300,
        minNs: sorted[0]!,
        maxNs: sorted.at(-1)!,
      };
    };
    const judge = (scale: number, count: number): Comparison =>
      compareSummaries({
        sides: { A: summary(preempted(1, 1)), B: summary(preempted(scale, count)) },
        benchmark: aBenchmark({ workload: 'harness' }),
        config: config(asked),
      });
    expect(judge(1.05, 8)).toMatchObject({ verdict: 'slower', judge: 'typical' });
    expect(judge(1.05, 8).interval.estimate).toBeCloseTo(1.05, 2);
    expect(judge(1, 8).verdict).toBe('undecided');
  });
});

describe('two sides that were measured apart', () => {
  const A = runsOf(12, 1e7);
  const B = runsOf(20, 1.3e7);

  it('may differ in their numbers of runs: each run mean is one unit of its side', () => {
    const found = compare(side(A), side(B));
    const expected = sequentialRatioInterval(
      A.map((run) => mean(run)),
      B.map((run) => mean(run)),
      { kind: 't', confidence: 0.95, replicates: 1, random },
    );
    expect(found.interval).toEqual(expected.ratio);
    expect(found).toMatchObject({ method: 'sequential', verdict: 'slower', runs: 12, iterationsPerRun: 3, pairs: 0 });
    expect(found.resampled).toEqual({ unit: 'run', count: 12 });
    expect([found.sides.A.times.length, found.sides.B.times.length]).toEqual([36, 60]);
    expect(codes(found)).toEqual([]);
    expect(reportSchema.shape.comparisons.element.parse(found)).toEqual(found);
  });

  it('do not depend on which of them has more runs', () => {
    const [one, other] = [compare(side(A), side(B)), compare(side(B), side(A))];
    expect(other.interval.estimate).toBeCloseTo(1 / one.interval.estimate, 12);
    expect(other.interval.low).toBeCloseTo(1 / one.interval.high, 12);
    expect(other.minimalDetectableSlowdown).toBeCloseTo(one.minimalDetectableSlowdown, 12);
  });

  it('give iterations as units where a side has a single run, and say that runs may differ', () => {
    const single = [Array.from({ length: 30 }, () => Math.round(1e7 * Math.exp(0.01 * random.normal())))];
    const found = compare(side(single), side(B));
    expect(found).toMatchObject({ runs: 1, resampled: { unit: 'iteration', count: 20 }, outlook: null });
    expect(codes(found)).toEqual(['NO_RUN_VARIANCE']);
    expect(found.warnings[0]?.message).toMatch(/^side A holds a single run.*measure ten runs or more/);
    const both = compare(side(single), side([single[0]?.map((time) => time * 1.5) ?? []]), { margin: 0.01 });
    expect(both.verdict).toBe('slower');
    expect(both.iterationsPerRun).toBe(30);
    expect(both.warnings[0]?.message).toMatch(/^both sides hold a single run/);
  });

  it('leave the warm-up out before anything is made a unit', () => {
    // The first four of eight take ten times as long.
    const warm = [[10e7, 10e7, 10e7, 10e7, 1e7, 1.01e7, 0.99e7, 1e7]];
    const found = compare(side(warm), side(warm), { warmup: { kind: 'first-half' } });
    expect(found.interval.estimate).toBe(1);
    expect(found.sides.A.mean).toBeCloseTo(0.01, 4);
    expect(found.discarded.warmup).toBe(4);
  });

  it('carry no result with one iteration', () => {
    expect(() => compare(side([[1e7]]), side(B))).toThrow(AnalysisError);
    expect(() => compare(side([]), side(B))).toThrow(AnalysisError);
  });
});

describe('iterations of a single run', () => {
  const rising = columnsOf(iterationsOf(Array.from({ length: 2500 }, (_, k) => k + 1)));

  it('stay together in groups of those that followed each other', () => {
    const units = unitColumns(rising, { random: null });
    expect(units.length).toBe(1000);
    expect(units.reduce((sum, { length }) => sum + length, 0)).toBe(2500);
    expect([...(units[1]?.indices ?? [])]).toEqual([2, 3, 4]);
  });

  it('are dealt out by chance where their order does not tell when they ran', () => {
    const units = unitColumns(rising, { random: createRandom('dealt') });
    const rows = units.flatMap(({ indices }) => [...indices]);
    expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2500 }, (_, k) => k));
    expect(rows).not.toEqual(rows.toSorted((a, b) => a - b));
  });

  /** Times of one run with a heavy tail. */
  const longRun = (count: number, factor = 1): number[] =>
    Array.from({ length: count }, () => {
      const tail = random.next() < 0.05 ? 8 * random.next() : 0;
      return Math.round(1e6 * factor * (1 + tail) * Math.exp(0.05 * random.normal()));
    });

  it('keep their mean where there are more than a thousand: the outlier rule is that of the whole run', () => {
    const [A, B] = [longRun(4100), longRun(4100, 1.4)];
    const found = compare(side([A]), side([B]));
    expect(found.interval.estimate).toBeCloseTo(mean(B) / mean(A), 2);
    expect(found.discarded.outliers).toBeLessThanOrEqual(2);
  });

  it('tell as much where they are sorted', () => {
    const [A, B] = [longRun(5000), longRun(5000)];
    const width = (order: (times: number[]) => number[]): number => {
      const { low, high } = compare(side([order(A)]), side([order(B)])).interval;
      return high - low;
    };
    const widths = width((times) => times.toSorted((a, b) => a - b)) / width((times) => times);
    expect(widths).toBeGreaterThan(0.8);
    expect(widths).toBeLessThan(1.25);
  });

  it.each([
    ['sorted', (times: number[]) => times.toSorted((a, b) => a - b), false],
    ['said to be sorted', (times: number[]) => times.toSorted((a, b) => a - b), true],
    ['in the order in which they ran', (times: number[]) => times, false],
  ])('give no more false alarms than the level where they are %s', (_name, order, isSorted) => {
    const repetitions = draws(30);
    let alarms = 0;
    for (let k = 0; k < repetitions; k++) {
      const { verdict } = compare(side([order(longRun(5000))], isSorted), side([order(longRun(5000))], isSorted));
      if (verdict === 'slower' || verdict === 'faster') alarms++;
    }
    // More come once in 300 times, and the seed is fixed: 5 of 30, 2 of 6.
    expect(alarms).toBeLessThanOrEqual(binomialQuantile(1 - 1 / 300, repetitions, 0.05));
  });
});

describe('two sides of which only means are known', () => {
  const told = (changes: Partial<TimesSummary>): TimesSummary => ({
    meanNs: 100,
    standardDeviationNs: 10,
    samples: 25,
    medianNs: null,
    minNs: null,
    maxNs: null,
    ...changes,
  });
  const judge = (A: Partial<TimesSummary>, B: Partial<TimesSummary>): Comparison =>
    compareSummaries({ sides: { A: told(A), B: told(B) }, benchmark: aBenchmark(), config: config() });

  it("get Welch's interval on the log scale, and a warning", () => {
    const found = judge({}, { meanNs: 120, standardDeviationNs: 24, samples: 36 });
    // Relative squared errors: 0.1^2 / 25 = 0.0004 and 0.2^2 / 36 = 0.001111; together 0.0015111, root 0.038873.
    // Degrees of freedom: 0.0015111^2 / (0.0004^2 / 24 + 0.0011111^2 / 35) = 54.41; t(0.975) = 2.0046.
    expect(found.interval.estimate).toBeCloseTo(1.2, 12);
    expect(found.interval.low).toBeCloseTo(1.2 * Math.exp(-2.0046 * 0.038873), 4);
    expect(found.interval.high).toBeCloseTo(1.2 * Math.exp(2.0046 * 0.038873), 4);
    expect(found).toMatchObject({ verdict: 'slower', runs: 1, resampled: { unit: 'iteration', count: 25 } });
    expect(codes(found)).toEqual(['SUMMARY_ONLY']);
    expect(reportSchema.shape.comparisons.element.parse(found)).toEqual(found);
  });

  it('tell median and extremes where the file does', () => {
    const { A } = judge({ medianNs: 98, minNs: 90, maxNs: 130 }, {}).sides;
    expect([A.median, A.min, A.max, A.mean]).toEqual([98e-9, 90e-9, 130e-9, 100e-9]);
  });

  it('carry no result without a standard deviation or a count', () => {
    expect(() => judge({ standardDeviationNs: null }, {})).toThrow(AnalysisError);
    expect(() => judge({}, { samples: 1 })).toThrow(AnalysisError);
    expect(() => judge({ meanNs: 0 }, {})).toThrow(AnalysisError);
  });
});
