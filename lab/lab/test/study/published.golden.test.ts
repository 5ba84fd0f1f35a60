import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { mean, median, quantiles, variance } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { groupIterations, replayReconfiguration } from '../../src/study/replay-reconfiguration.ts';
import type { StabilityCriterion } from '../../../../core/analysis/src/stopping/stopping-options.ts';
import { dataFolder } from '../../../../core/analysis/test/helpers/data.ts';
import { hasGolden, readGolden } from '../../../../core/analysis/test/helpers/golden.ts';

interface Golden {
  readonly benchmarks: readonly {
    readonly file: string;
    readonly dynconfig: Readonly<
      Record<
        'CV' | 'RCIW' | 'KLD',
        { readonly forks: number; readonly simulated_1s_warmup_iterations: readonly number[] }
      >
    >;
  }[];
}

const name = '11-steady-state.json';
const data = join(dataFolder, 'steady-state');
const present = existsSync(data) && hasGolden(name);
const { benchmarks } = present ? (readGolden(name) as Golden) : { benchmarks: [] };

const iterationsOf = (file: string) => {
  const text = gunzipSync(readFileSync(join(data, file))).toString();
  const { series } = JSON.parse(text) as { readonly series: readonly (readonly number[])[] };
  return series.map((fork) => groupIterations(fork, { shortTime: 0.1, leastTime: 1 }).iterations);
};

const published = { cv: 'CV', rciw: 'RCIW', kld: 'KLD' } as const;

type Benchmark = Golden['benchmarks'][number];

/** Where warm-up ended in the forks that the published run made, ours and theirs, and how many forks each would have made. */
interface Found {
  readonly ours: number[];
  readonly theirs: number[];
  readonly ourForks: number[];
  readonly theirForks: number[];
}

const compare = ({ file, dynconfig }: Benchmark, criterion: StabilityCriterion, found: Found): void => {
  const { forks, simulated_1s_warmup_iterations: theirs } = dynconfig[published[criterion]];
  const iterations = iterationsOf(file);
  const replay = (config: { readonly fMin?: number; readonly fMax?: number }) =>
    replayReconfiguration([iterations], {
      criteria: [criterion],
      like: 'jmh-reconfigure',
      seed: 'published',
      // 1 000 replicates end where 200 do, give or take an iteration, and take five times as long.
      replicates: 200,
      config,
    }).forks;
  found.ours.push(...replay({ fMin: forks, fMax: forks }).map(({ warmup }) => warmup));
  found.theirs.push(...theirs);
  found.ourForks.push(replay({}).length);
  found.theirForks.push(forks);
};

/** How many stop points of ours lie within five iterations of theirs, those of other forks in their place when `shift` is not 0; a share. */
const near = ({ ours, theirs }: Found, shift = 0): number =>
  ours.filter((own, place) => Math.abs(own - theirs[(place + shift) % theirs.length]!) <= 5).length / ours.length;

/** The same over every other fork that may take the place of the own one: what chance makes of it. */
const nearByChance = (found: Found): number =>
  mean(Array.from({ length: found.ours.length - 1 }, (_, place) => near(found, place + 1)));

/** How many forks more than the published run ours makes for a benchmark, in standard errors of the mean. */
const moreForks = ({ ourForks, theirForks }: Found): number => {
  const more = ourForks.map((own, place) => own - theirForks[place]!);
  return mean(more) / Math.sqrt(variance(more) / more.length);
};

const expectMiddleAmong = (ours: readonly number[], theirs: readonly number[]): void => {
  const [low, high] = quantiles(theirs, [0.25, 0.75]);
  expect(median(ours)).toBeGreaterThanOrEqual(low!);
  expect(median(ours)).toBeLessThanOrEqual(high!);
};

const atLimit = (stops: readonly number[], limit: number): number => stops.filter((one) => one === limit).length;

const expectations: Readonly<Record<StabilityCriterion, { readonly sentence: string; check(found: Found): void }>> = {
  cv: {
    sentence:
      'lie between the quartiles of the published ones, nearer to that of the same fork than to others, with as many forks,',
    check(found) {
      expectMiddleAmong(found.ours, found.theirs);
      expect(near(found)).toBeGreaterThan(nearByChance(found));
      expect(Math.abs(moreForks(found))).toBeLessThan(3);
    },
  },
  kld: {
    sentence: 'lie between the quartiles of the published ones, with as many forks,',
    check(found) {
      expectMiddleAmong(found.ours, found.theirs);
      expect(Math.abs(moreForks(found))).toBeLessThan(3);
    },
  },
  rciw: {
    sentence: 'come sooner, since means of 100 ms vary too little for a wide interval,',
    check(found) {
      const limit = Math.max(...found.theirs);
      expect(atLimit(found.ours, limit)).toBeLessThan(atLimit(found.theirs, limit));
      expect(median(found.ours)).toBeLessThan(median(found.theirs));
      expect(moreForks(found)).toBeLessThan(0);
    },
  },
};

// The published run saw invocations, of which only means over 100 ms are public: distributions are compared, not forks
// (docs/methods/procedures/stopping.md says where they differ, and why).
describe.skipIf(!present)(`11: stop points${present ? '' : ' (skipped: golden file or data are absent)'}`, () => {
  describe.each(['cv', 'kld', 'rciw'] as const)('of %s', (criterion) => {
    const found: Found = { ours: [], theirs: [], ourForks: [], theirForks: [] };

    it.each(benchmarks)('$file', (benchmark) => {
      compare(benchmark, criterion, found);
      expect(found.ours).toHaveLength(found.theirs.length);
    });

    it(`${expectations[criterion].sentence} over all benchmarks`, () => {
      expect(found.ourForks).toHaveLength(benchmarks.length);
      expectations[criterion].check(found);
    });
  });
});
