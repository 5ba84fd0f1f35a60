import { describe, expect, it } from 'vitest';
import { DynamicReconfiguration } from '../../src/stopping/dynamic-reconfiguration.ts';
import { PreparedIteration } from '../../src/stopping/prepared-iteration.ts';
import { DrawnSteps } from '../../src/stopping/drawn-steps.ts';
import { stabilityValues, type Step } from '../../src/stopping/stability-values.ts';
import {
  resolveStoppingOptions,
  type StabilityCriterion,
  type StoppingOptions,
} from '../../src/stopping/stopping-options.ts';
import { readGolden } from '../helpers/golden.ts';

type Values = readonly (number | null)[];

interface Golden {
  readonly iterations: readonly {
    readonly id: string;
    readonly input: { readonly iterations: readonly (readonly number[])[] };
    readonly expected: {
      readonly kept_per_iteration: readonly number[];
      readonly cv_code: { readonly cov: Values; readonly value: Values; readonly stop_after_iteration: number | null };
      readonly cv_paper: {
        readonly W_at_last_5_iterations: readonly Readonly<
          Record<'window_s_W' | 'window_s_W_plus_1', { readonly W: Values; readonly max_minus_min: number }>
        >[];
        readonly range_5: Values;
        readonly range_6: Values;
        readonly stop_5: number | null;
        readonly stop_6: number | null;
      };
      readonly kld_code: {
        readonly p: Values;
        readonly mean_of_last_5?: Values;
        readonly stop_after_iteration?: number | null;
      };
      readonly rciw?: {
        readonly B: number;
        readonly significance: number;
        readonly vector: readonly { readonly iterations: number; readonly rciw_mean: number; readonly tol: number }[];
      };
    };
  }[];
  readonly forks: readonly {
    readonly id: string;
    readonly input: { readonly forks: readonly (readonly (readonly number[])[])[] };
    readonly expected: {
      readonly cv_code: { readonly cov: Values; readonly value: Values; readonly stop_after_fork: number | null };
      readonly cv_paper: { readonly range_all_forks: Values; readonly stop_after_fork: number | null };
      readonly kld_code: { readonly p: Values; readonly stop_after_fork: number | null };
      readonly kld_paper: { readonly mean_all: Values; readonly stop_after_fork: number | null };
    };
  }[];
}

const golden = readGolden('10-stability.json') as Golden;

const close = (
  actual: number | null | undefined,
  expected: number | null,
  tolerance: { readonly relative: number; readonly absolute: number },
  what: string,
): void => {
  if (expected === null) {
    expect(actual ?? null, what).toBeNull();
    return;
  }
  const allowed = tolerance.relative * Math.abs(expected) + tolerance.absolute;
  expect(Math.abs((actual ?? NaN) - expected), `${what}: ${actual} instead of ${expected}`).toBeLessThanOrEqual(
    allowed,
  );
};
const exact = { relative: 0, absolute: 1e-12 };
const alike = { relative: 1e-8, absolute: 0 };

const prepared = (sample: readonly number[], stream: string): PreparedIteration =>
  new PreparedIteration(sample, { sampleSize: 1000, stream });

const valuesOf = (
  criterion: StabilityCriterion,
  steps: readonly Step[],
  options: Partial<StoppingOptions> = {},
): Values =>
  stabilityValues(criterion, steps, {
    ...resolveStoppingOptions({ criteria: [criterion], seed: 'golden', ...options }),
    from: 1,
    stream: 'golden',
  });

/** The reference computes the criteria of the authors' code from all invocations. */
const ofAll = { like: 'jmh-reconfigure', sampleSize: Infinity } as const;

const valuesLikeCode = (
  criterion: StabilityCriterion,
  steps: readonly (readonly (readonly number[])[])[],
  options: Partial<StoppingOptions> = {},
): Values => {
  const resolved = resolveStoppingOptions({ criteria: [criterion], seed: 'golden', ...ofAll, ...options });
  const drawn = new DrawnSteps(criterion, { options: resolved, stream: 'golden' });
  return steps.map((step) => drawn.add(step));
};

/** What the criterion compared after each iteration of one endless warm-up, and after which it would first have stopped. */
const watchWarmup = (
  iterations: readonly (readonly number[])[],
  options: Omit<StoppingOptions, 'seed'>,
): { readonly values: Values; readonly stop: number | null } => {
  const length = iterations.length + 1;
  const values = Array.from({ length: iterations.length }, (_, wiMin) => {
    const live = new DynamicReconfiguration({
      ...options,
      seed: 'golden',
      config: { wiMin: wiMin + 1, wiMax: length },
    });
    live.beginFork();
    for (const iteration of iterations.slice(0, wiMin)) live.observe(iteration);
    return live.observe(iterations[wiMin]!).checks[0]!.value;
  });
  const live = new DynamicReconfiguration({ ...options, seed: 'golden', config: { wiMin: 1, wiMax: length } });
  live.beginFork();
  const stop = iterations.findIndex((iteration) => live.observe(iteration).next === 'measure') + 1;
  return { values, stop: stop === 0 ? null : stop };
};

const watchForks = (
  forks: readonly (readonly (readonly number[])[])[],
  options: Omit<StoppingOptions, 'seed'>,
): { readonly values: Values; readonly stop: number | null } => {
  const play = (fMin: number): { readonly values: Values; readonly stop: number | null } => {
    const config = { wiMin: 0, wiMax: 0, mi: forks[0]!.length, fMin, fMax: forks.length + 1 };
    const live = new DynamicReconfiguration({ ...options, seed: 'golden', config });
    const values: (number | null)[] = [];
    for (const [f, fork] of forks.entries()) {
      live.beginFork();
      const last = fork.map((iteration) => live.observe(iteration)).at(-1)!;
      values.push(last.checks[0]?.value ?? null);
      if (live.next === 'stop') return { values, stop: f + 1 };
    }
    return { values, stop: null };
  };
  const values = forks.map((_, f) => play(f + 1).values[f] ?? null);
  return { values, stop: play(2).stop };
};

describe('10: stability of a warm-up', () => {
  it.each(golden.iterations)('$id: outliers', ({ input, expected }) => {
    const kept = input.iterations.map((sample, i) => prepared(sample, `${i}`).size);
    expect(kept).toEqual(expected.kept_per_iteration);
  });

  it.each(golden.iterations)('$id: coefficient of variation, like the code', ({ input, expected }) => {
    const { cov, value, stop_after_iteration: stop } = expected.cv_code;
    const steps = input.iterations.map((sample, i) => [prepared(sample, `${i}`)]);
    valuesOf('cv', steps).forEach((ours, i) => close(ours, cov[i]!, exact, `cov ${i + 1}`));
    const found = watchWarmup(input.iterations, { criteria: ['cv'], ...ofAll });
    found.values.forEach((ours, i) => close(ours, value[i]!, exact, `value ${i + 1}`));
    expect(found.stop).toBe(stop);
  });

  it.each(golden.iterations)('$id: coefficient of variation, as the paper has it', ({ input, expected }) => {
    const theirs = expected.cv_paper;
    for (const [window, range, stop] of [
      [5, theirs.range_5, theirs.stop_5],
      [6, theirs.range_6, theirs.stop_6],
    ] as const) {
      const found = watchWarmup(input.iterations, { criteria: ['cv'], window });
      found.values.forEach((ours, i) => close(ours, range[i]!, exact, `range of ${window}, ${i + 1}`));
      expect(found.stop).toBe(stop);
    }
    const steps = input.iterations.map((sample, i) => [prepared(sample, `${i}`)]);
    theirs.W_at_last_5_iterations.forEach((at, place, { length }) => {
      const end = steps.length - length + 1 + place;
      for (const [window, { W }] of [
        [5, at.window_s_W],
        [6, at.window_s_W_plus_1],
      ] as const) {
        const ours = valuesOf('cv', steps.slice(end - window, end));
        expect(ours).toHaveLength(W.length);
        ours.forEach((value, i) => close(value, W[i]!, exact, `W of ${window} after ${end}`));
      }
    });
  });

  it.each(golden.iterations)('$id: divergence, like the code', ({ input, expected }) => {
    const theirs = expected.kld_code;
    const steps = input.iterations.map((sample, i) => [prepared(sample, `${i}`)]);
    const likeCode = valuesLikeCode(
      'kld',
      input.iterations.map((sample) => [sample]),
    );
    for (const ours of [valuesOf('kld', steps), likeCode]) {
      ours.forEach((p, i) => close(p, theirs.p[i]!, alike, `p ${i + 1}`));
    }
    if (theirs.mean_of_last_5 === undefined) return;
    const found = watchWarmup(input.iterations, { criteria: ['kld'], ...ofAll });
    found.values.forEach((ours, i) => close(ours, theirs.mean_of_last_5![i]!, alike, `mean ${i + 1}`));
    expect(found.stop).toBe(theirs.stop_after_iteration);
  });

  const withWidths = golden.iterations.filter(({ expected }) => expected.rciw !== undefined);
  it.each(withWidths)('$id: relative width of the interval', ({ input, expected }) => {
    const { B, significance, vector } = expected.rciw!;
    expect(vector.length).toBeGreaterThan(0);
    const steps = input.iterations.map((sample, i) => [prepared(sample, `${i}`)]);
    const width = { replicates: B, confidence: 1 - significance };
    const samples = input.iterations.map((sample) => [sample]);
    for (const [like, ours] of [
      ['paper', valuesOf('rciw', steps, width)],
      ['code', valuesLikeCode('rciw', samples, width)],
    ] as const) {
      for (const { iterations, rciw_mean: mean, tol } of vector) {
        close(ours[iterations - 1], mean, { relative: 0, absolute: tol }, `${like}, ${iterations} iterations`);
      }
    }
  });
});

describe('10: stability over forks', () => {
  it.each(golden.forks)('$id: coefficient of variation', ({ input, expected }) => {
    const steps = input.forks.map((fork, f) => fork.map((sample, i) => prepared(sample, `${f} ${i}`)));
    valuesOf('cv', steps).forEach((ours, f) => close(ours, expected.cv_code.cov[f]!, exact, `cov ${f + 1}`));
    for (const [like, values, stop] of [
      ['jmh-reconfigure', expected.cv_code.value, expected.cv_code.stop_after_fork],
      ['paper', expected.cv_paper.range_all_forks, expected.cv_paper.stop_after_fork],
    ] as const) {
      const found = watchForks(input.forks, { criteria: ['cv'], ...(like === 'paper' ? {} : ofAll) });
      found.values.forEach((ours, f) => close(ours, values[f]!, exact, `${like} ${f + 1}`));
      expect(found.stop).toBe(stop);
    }
  });

  it.each(golden.forks)('$id: divergence', ({ input, expected }) => {
    for (const [like, values, stop] of [
      ['jmh-reconfigure', expected.kld_code.p, expected.kld_code.stop_after_fork],
      ['paper', expected.kld_paper.mean_all, expected.kld_paper.stop_after_fork],
    ] as const) {
      const found = watchForks(input.forks, { criteria: ['kld'], ...(like === 'paper' ? {} : ofAll) });
      found.values.forEach((ours, f) => close(ours, values[f]!, alike, `${like} ${f + 1}`));
      expect(found.stop).toBe(stop);
    }
  });
});
