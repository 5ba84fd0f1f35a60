import type { Benchmark, Comparison, ExperimentConfig, Layouts, LayoutSpread, Trial, Warning } from '@deadheat/model';
import { createRandom, wilsonInterval } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../../bench/lib/draws.js';
import { measuredRuns } from '../../src/columns/measured-runs.ts';
import { analyseInterim } from '../../src/compare/analyse-interim.ts';
import { compareBenchmark } from '../../src/compare/compare-benchmark.ts';
import { decideGate, judgeGate } from '../../src/index.ts';
import { tradedBlocks } from '../../src/units/resampling-units.ts';
import { at } from '../../src/internal/lists.ts';
import { aBenchmark, aConfig, aSide, aTrial, iterationsOf, selectedRuns } from '../helpers/recordings.ts';

interface Simulated {
  readonly seed: string;
  readonly ratio?: number;
  /** Standard deviation of the log time between builds of a program. */
  readonly between: number;
  readonly layouts?: number;
  readonly noise?: number;
  readonly runs?: number;
}

/** Runs of builds that differ, in turns of two runs, as the engine makes them. */
function simulate({ seed, ratio = 1, between, layouts = 8, noise = 0.003, runs = 64 }: Simulated): readonly Trial[] {
  const random = createRandom(seed);
  const draw = (deviation: number): number => Math.exp(deviation * random.normal());
  const builds = Array.from({ length: layouts }, () => ({ A: draw(between), B: ratio * draw(between) }));
  return Array.from({ length: runs }, (_, run) => {
    const layout = Math.floor(run / 2) % layouts;
    const { A, B } = at(builds, layout);
    return aTrial({
      run,
      layout,
      method: 'tandem',
      sides: {
        A: aSide(iterationsOf([100e6 * A * draw(noise)], { cpu: 1 }), { cpu: 0 }),
        B: aSide(iterationsOf([100e6 * B * draw(noise)], { cpu: 1 }), { cpu: 0 }),
      },
    });
  });
}

const config = (changes: Partial<ExperimentConfig> = {}): ExperimentConfig =>
  aConfig({ method: 'tandem', metric: 'cpu', swap: 'run', ...changes });
const judge = (
  trials: readonly Trial[],
  { benchmark = {}, ...changes }: Partial<ExperimentConfig> & { readonly benchmark?: Partial<Benchmark> } = {},
): Comparison =>
  compareBenchmark({ runs: measuredRuns(trials), benchmark: aBenchmark(benchmark), config: config(changes) });
const codes = (warnings: readonly Warning[]): string[] => warnings.map(({ code }) => code);
const isConfident = ({ verdict }: Comparison): boolean => verdict === 'slower' || verdict === 'faster';
const asOneBuild = (trials: readonly Trial[]): readonly Trial[] =>
  trials.map(({ layout, ...trial }) => {
    expect(layout).toBeDefined();
    return trial;
  });

describe('builds with layouts that differ by 1 %', () => {
  it('of one program are told apart by an interval over runs, and not by one over layouts', () => {
    const experiments = draws(1000);
    const found = Array.from({ length: experiments }, (_, index) => {
      const trials = simulate({ seed: `same ${index}`, between: 0.01, noise: 0.002 });
      const one = trials.map((trial) => ({ ...trial, layout: 0 })).filter((_, run) => run % 16 < 2);
      return { many: isConfident(judge(trials)), one: isConfident(judge(one)) };
    });
    const many = found.filter((one) => one.many).length;
    const [low] = [wilsonInterval(many, experiments, { level: 0.999 }).low];
    expect(low).toBeLessThanOrEqual(0.01);
    expect(many / experiments).toBeLessThan(0.05);
    expect(found.filter((one) => one.one).length / experiments).toBeGreaterThan(0.5);
  });

  it('say what the interval is over, and how much builds differ', () => {
    const comparison = judge(simulate({ seed: 'effects', between: 0.01, ratio: 1.05, layouts: 16 }));
    expect(comparison).toMatchObject({
      verdict: 'slower',
      resampled: { unit: 'layout', count: 16 },
      interval: { kind: 't' },
      layouts: { pooledOver: 'layouts' },
    });
    expect(comparison.hosts).toBeUndefined();
    expect(codes(comparison.warnings)).not.toContain('FEW_HOSTS');
    expect(comparison.layouts?.each.map(({ id, runs }) => [id, runs])).toEqual(
      Array.from({ length: 16 }, (_, index) => [`layout ${index + 1}`, 4]),
    );
    // The difference of two builds, each with 1 %.
    expect(comparison.layouts?.between).toBeGreaterThan(0.008);
    expect(comparison.layouts?.between).toBeLessThan(0.022);
  });

  it('need more layouts for a verdict, not more runs', () => {
    const { verdict, outlook } = judge(simulate({ seed: 'outlook', between: 0.03, ratio: 1.03 }));
    expect(verdict).toBe('undecided');
    expect(outlook?.moreLayouts).toBeGreaterThan(0);
    expect(outlook?.moreHosts).toBeUndefined();
  });

  it('do not end an experiment early that only the interval over runs decides', () => {
    const trials = simulate({ seed: 'interim', between: 0.03, layouts: 3, ratio: 1.05 });
    const stop = { kind: 'decided', minRuns: 5, maxRuns: null } as const;
    const decided = (of: readonly Trial[]): boolean =>
      analyseInterim(
        { runs: measuredRuns(of), benchmark: aBenchmark(), config: config({ stop }) },
        { mostRuns: 1000, family: 1 },
      ).decided;
    expect(decided(asOneBuild(trials.filter(({ layout }) => layout === 0)))).toBe(true);
    expect(decided(trials)).toBe(false);
  });

  it('never share a block of two runs', () => {
    const runs = Array.from({ length: 24 }, (_, run) =>
      aTrial({
        // A run of every second block is missing, so that runs look for partners.
        run: run + Math.floor(run / 3),
        layout: Math.floor((run + Math.floor(run / 3)) / 2) % 3,
        sides: {
          A: aSide(iterationsOf([1e6]), { cpu: run % 2 }),
          B: aSide(iterationsOf([1e6]), { cpu: 1 - (run % 2) }),
        },
      }),
    );
    const { runs: usable } = selectedRuns(runs);
    const { unit, members } = tradedBlocks(usable);
    expect(unit).toBe('traded-block');
    for (const block of members) expect(new Set(block.map((r) => usable[r]?.trial.layout)).size).toBe(1);
  });
});

describe('LAYOUT_SUSPECTED', () => {
  const counted = (trials: readonly Trial[], [A, B]: readonly [number, number]): readonly Trial[] => [
    ...asOneBuild(trials),
    ...[0, 1].map((run) =>
      aTrial({
        run,
        phase: 'pilot',
        method: 'sequential',
        counting: true,
        sides: {
          A: aSide(iterationsOf([1e9]), { counts: { instructions: A } }),
          B: aSide(iterationsOf([1e9]), { counts: { instructions: B } }),
        },
      }),
    ),
  ];
  const also = ['instructions'] as const;
  const slower = (ratio: number, counts: readonly [number, number], more: Parameters<typeof judge>[1] = {}) =>
    judge(counted(simulate({ seed: 'one build', between: 0, ratio }), counts), { also: [...also], ...more });
  const suspected = ({ warnings }: Comparison): string | undefined =>
    warnings.find(({ code }) => code === 'LAYOUT_SUSPECTED')?.message;
  const spread = (deviation: number): LayoutSpread => ({ deviation, degrees: 7, source: 'as measured in earlier' });

  it('is said of a small difference without more work, and says by which figure', () => {
    const published = slower(1.008, [1e6, 1e6]);
    expect(published.verdict).toBe('slower');
    expect(suspected(published)).toContain('published figure');
    expect(suspected(slower(1.02, [1e6, 1e6 + 100], { layoutSpread: spread(0.01) }))).toContain(
      'differ by up to 3.6 % (as measured in earlier)',
    );
  });

  it('is not said of more work, of a larger difference, of builds with layouts, without counts and of a dead heat', () => {
    for (const comparison of [
      slower(1.008, [1e6, 1_001_000]),
      slower(1.05, [1e6, 1e6], { layoutSpread: spread(0.01) }),
      slower(1.008, [1e6, 1e6], { layoutSpread: spread(0) }),
      slower(1.008, [1e6, 1e6], { benchmark: { layouts: layouts(['a', 'b'], ['c', 'd']) } }),
      slower(1.008, [1e6, 1e6], { benchmark: { controlOf: 'loop' } }),
      slower(1.008, [1e6, 1e6], { also: [] }),
      slower(1, [1e6, 1e6]),
    ]) {
      expect(suspected(comparison)).toBeUndefined();
    }
  });

  it('lets a gate pass that is layout-proof, and no other', () => {
    const gateOf = (comparison: Comparison) =>
      judgeGate({ judged: [{ comparison, waiver: null }], correction: 'none', today: '2026-01-01' }).gate;
    const policy = { against: 'slower', undecided: 'fail' } as const;
    const outcomes = (comparison: Comparison): string[] =>
      [false, true].map((layoutProof) => decideGate(gateOf(comparison), { ...policy, layoutProof }).outcome);
    expect(outcomes(slower(1.03, [1e6, 1e6], { layoutSpread: spread(0.02) }))).toEqual(['failed', 'passed']);
    expect(outcomes(slower(1.03, [1e6, 1_030_000]))).toEqual(['failed', 'failed']);
  });
});

function layouts(A: readonly (string | null)[], B: readonly (string | null)[]): Layouts {
  const of = (all: readonly (string | null)[]): Layouts['A'] =>
    all.map((code, index) => ({ seed: String(index), root: `/${index}`, tools: '/tools', code }));
  return { A: of(A), B: of(B) };
}

describe('LAYOUTS_IDENTICAL', () => {
  const trials = simulate({ seed: 'identical', between: 0.01, layouts: 3, runs: 12 });
  const said = (benchmark: Partial<Benchmark>): string | undefined =>
    judge(trials, { benchmark }).warnings.find(({ code }) => code === 'LAYOUTS_IDENTICAL')?.message;

  it('names the side whose builds are alike, or hold no machine code', () => {
    expect(said({ layouts: layouts(['a', 'a', 'a'], ['b', 'c', 'd']) })).toMatch(
      /^the 3 builds of A hold the same machine code, so/,
    );
    expect(said({ layouts: layouts(['a', 'b', 'c'], ['b', 'c', 'c']) })).toMatch(
      /^the 3 builds of B hold 2 different machine codes/,
    );
    expect(said({ layouts: layouts(['a', 'b', 'c'], [null, null, null]) })).toMatch(
      /^no build of B holds machine code/,
    );
  });

  it('is not said of builds that differ, and of those that a hook makes later', () => {
    const build = { ...aBenchmark().hooks.A, build: 'make' };
    expect(said({ layouts: layouts(['a', 'b', 'c'], ['a', 'b', 'c']) })).toBeUndefined();
    expect(
      said({ layouts: layouts([null, null, null], ['b', 'c', 'd']), hooks: { A: build, B: build } }),
    ).toBeUndefined();
  });
});
