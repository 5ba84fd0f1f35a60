import type { Benchmark, Comparison, ExperimentConfig, Trial, Verdict } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { draws } from '../../../bench/lib/draws.js';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { compareBenchmark } from '../src/compare/compare-benchmark.ts';
import { aBenchmark, aConfig, aSide, aTrial } from './helpers/recordings.ts';

const command = (name: string) => ({
  name,
  commandLine: name,
  argv: [`/usr/bin/${name}`],
  executedBy: 'direct' as const,
});
const different = aBenchmark({ commands: { A: command('gzip'), B: command('xz') } });

interface Effects {
  readonly seed: number;
  /** Log of the ratio B / A of each side alone. */
  readonly alone: number;
  /** Log of what sharing the core does to each side. */
  readonly inflation: { readonly A: number; readonly B: number };
  readonly runs?: number;
  readonly runsAlone?: number;
  /** Standard deviation of a log ratio alone. */
  readonly spread?: number;
}

/** Tandems of 0.5 % spread beside runs of each side alone, on cores whose speed changes by 20 % from run to run. */
function trialsOf({ seed, alone, inflation, runs = 20, runsAlone = 10, spread = 0.03 }: Effects): readonly Trial[] {
  const random = createRandom(`shared caches ${seed}`);
  const trialOf = (run: number, shared: boolean): Trial => {
    const level = Math.log(2e7) + 0.2 * random.normal();
    const timesNs = {
      A: Math.exp(level + (shared ? inflation.A : 0)),
      B: Math.exp(level + alone + (shared ? inflation.B : 0) + (shared ? 0.005 : spread) * random.normal()),
    };
    const side = (c: number) => aSide([{ i: 0, s: 0, e: 1e8, c: Math.round(c) }], { maxRssBytes: 1e6 + run });
    const sides = { A: side(timesNs.A), B: side(timesNs.B) };
    return aTrial({ run, sides, ...(shared ? { method: 'tandem' } : { method: 'alone', phase: 'pilot' }) });
  };
  return [
    ...Array.from({ length: runs }, (_, run) => trialOf(run, true)),
    ...Array.from({ length: runsAlone }, (_, run) => trialOf(run, false)),
  ];
}

function compare(
  effects: Effects,
  { benchmark = different, ...changes }: Partial<ExperimentConfig> & { readonly benchmark?: Benchmark } = {},
): Comparison {
  const config = aConfig({ method: 'tandem', metric: 'auto', confidence: 0.99, ...changes });
  return compareBenchmark({ runs: measuredRuns(trialsOf(effects)), benchmark, config });
}

const codes = ({ warnings }: Comparison): readonly string[] => warnings.map(({ code }) => code);

const none = { A: 0, B: 0 };
/** A loses 30 % where it shares its caches, so that B, 10 % slower, looks 15 % faster. */
const unequal = { seed: 1, alone: Math.log(1.1), inflation: { A: Math.log(1.3), B: 0 } };

describe('a tandem of different programs', () => {
  it('claims nothing where sharing the core inflates its sides differently, and gives the inflation of each', () => {
    const found = compare(unequal);
    expect(found.interval.high).toBeLessThan(0.9);
    expect(found).toMatchObject({ verdict: 'undecided', outlook: null, pValues: { slower: 1, faster: 1 } });
    const warning = found.warnings.find(({ code }) => code === 'SIDES_SHARE_CACHES');
    expect(warning?.message).toMatch(/^on a core that both share A takes 1\.\d\d and B [01]\.\d\d times the CPU time/);
    const [, low, high] = /is (\S+) to (\S+) times that of the tandem/.exec(warning?.message ?? '') ?? [];
    expect(Number(low)).toBeLessThan(1.3);
    expect(Number(high)).toBeGreaterThan(1.3);
    expect(Number(low)).toBeGreaterThan(1.2);
  });

  it('claims a difference that no bias explains which the runs alone do not exclude, and no smaller one', () => {
    const large = compare({ seed: 2, alone: Math.log(1.3), inflation: none });
    expect(large.verdict).toBe('slower');
    expect(codes(large)).not.toContain('SIDES_SHARE_CACHES');
    // Runs alone with a spread of 3 % leave a bias of about 3 % open.
    const small = compare({ seed: 2, alone: Math.log(1.01), inflation: none });
    expect(small.interval.low).toBeGreaterThan(1);
    expect(small.verdict).toBe('undecided');
    expect(codes(small)).toContain('SIDES_SHARE_CACHES');
  });

  it('is a dead heat only within a margin that holds the bias as well', () => {
    const equal = { seed: 3, alone: 0, inflation: none };
    expect(compare(equal).verdict).toBe('undecided');
    expect(compare(equal, { margin: 0.1 }).verdict).toBe('dead-heat');
    expect(compare(equal, { margin: 0.01 }).verdict).toBe('undecided');
  });

  it('is not held to be decided by an early verdict that the bias explains', () => {
    const stop = { kind: 'decided', minRuns: 3, maxRuns: null } as const;
    const found = compare(unequal, { stop });
    expect(found.verdict).toBe('undecided');
    expect(found.interim?.reached).toBe(false);
  });

  it('says that the bias is not known where fewer than three runs show each side alone', () => {
    const found = compare({ ...unequal, runsAlone: 2 });
    expect(found.warnings.find(({ code }) => code === 'SIDES_SHARE_CACHES')?.message).toContain('too few runs');
  });

  it('has a verdict on a resource, which shared caches do not change', () => {
    expect(codes(compare(unequal, { metric: 'rss' })).filter((code) => code === 'SIDES_SHARE_CACHES')).toEqual([]);
  });

  it('is not asked about in builds of one program, nor where each side was run alone', () => {
    expect(compare(unequal, { benchmark: aBenchmark() }).verdict).toBe('faster');
    const alone = trialsOf(unequal)
      .filter(({ method }) => method === 'alone')
      .map((trial) => ({ ...trial, phase: 'measure' as const }));
    const config = aConfig({ method: 'alone', metric: 'auto', confidence: 0.99 });
    const found = compareBenchmark({ runs: measuredRuns(alone), benchmark: different, config });
    expect(found).toMatchObject({ verdict: 'slower', metric: 'cpu', runs: 10, pairs: 10, resampled: { count: 10 } });
    expect(codes(found)).not.toContain('SIDES_SHARE_CACHES');
    expect(found.metricReason).toContain('each side runs alone');
  });

  it('gives hardly ever a wrong verdict on the sides alone, whatever sharing does', () => {
    const count = draws(1000);
    const random = createRandom('effects of sharing');
    let wrong = 0;
    for (let seed = 0; seed < count; seed++) {
      const alone = 0.05 * random.normal();
      const inflation = { A: Math.abs(0.1 * random.normal()), B: Math.abs(0.1 * random.normal()) };
      const right: readonly Verdict[] = ['undecided', alone > 0 ? 'slower' : 'faster'];
      if (!right.includes(compare({ seed, alone, inflation, spread: 0.05 }).verdict)) wrong++;
    }
    expect(wrong / count).toBeLessThanOrEqual(0.01);
  });
});
