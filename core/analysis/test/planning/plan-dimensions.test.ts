import { binomialQuantile, createRandom, studentTQuantile, variance } from '@deadheat/stats';
import { draws } from '../../../../bench/lib/draws.js';
import { describe, expect, it } from 'vitest';
import { rankLocations } from '../../src/interval/rank-location.ts';
import {
  experimentTimeNs,
  iterationsToSeeShift,
  planDimensions,
  plannedVariance,
  probabilityToSeeShift,
} from '../../src/planning/plan-dimensions.ts';

const model = { measurementVariance: 4e-4, segmentVariance: 1e-4, runVariance: 2e-4, shiftRate: 0.01 };
const costs = { runNs: 3e9, iterationNs: 5e7 };
const rules = { confidence: 0.99 };

describe('shift odds', () => {
  it("are the paper's: a median rate needs 3 151 iterations for one half, five such runs see it in 96 %", () => {
    expect(iterationsToSeeShift(2.2e-4)).toBe(Math.ceil(Math.LN2 / 2.2e-4));
    expect(probabilityToSeeShift(2.2e-4, { runs: 5, iterations: iterationsToSeeShift(2.2e-4) })).toBeCloseTo(
      31 / 32,
      4,
    );
  });

  it('refuses a rate that is none', () => {
    expect(() => iterationsToSeeShift(0)).toThrow('rate must be inside (0, 1)');
  });
});

describe('planDimensions', () => {
  it('spends a budget and no more, better than its neighbours', () => {
    const timeNs = 3600e9;
    const plan = planDimensions({ models: [model], costs, rules, goal: { kind: 'budget', timeNs } })!;
    expect(plan.timeNs).toBeLessThanOrEqual(timeNs);
    expect(plan.timeNs).toBeGreaterThan(timeNs - costs.runNs - plan.iterations * costs.iterationNs);
    const usual = (of: { readonly runs: number; readonly iterations: number }): number =>
      studentTQuantile(0.995, of.runs - 1) * Math.sqrt(plannedVariance(model, of));
    for (const iterations of [1, plan.optimal[0]!.shortRuns, plan.optimal[0]!.longRuns, 10 * plan.iterations]) {
      const runs = Math.floor(timeNs / (costs.runNs + iterations * costs.iterationNs));
      expect(usual(plan)).toBeLessThanOrEqual(1.01 * usual({ runs, iterations }));
      expect(plan.halfWidths[0]).toBeGreaterThan(usual(plan));
    }
  });

  it('reaches a half-width, and spends more on a narrower one', () => {
    const planFor = (halfWidth: number) =>
      planDimensions({ models: [model], costs, rules, goal: { kind: 'half-width', halfWidth } })!;
    const plan = planFor(0.005);
    expect(plan.halfWidths[0]).toBeLessThanOrEqual(0.005);
    expect(plan.timeNs).toBe(experimentTimeNs(plan, costs));
    expect(planFor(0.99 * plan.halfWidths[0]!).timeNs).toBeGreaterThan(plan.timeNs);
  });

  it('asks for more where Var(R) is known from few runs', () => {
    const { measurementVariance, runVariance } = model;
    const steady = { ...model, segmentVariance: 0 };
    const explained = measurementVariance / 30;
    const goal = { kind: 'detect', slowdown: 0.01, power: 0.8 } as const;
    const runsWith = (degrees: number): number => {
      const estimatedFrom = { runMeanVariance: runVariance + explained, explained, degrees };
      return planDimensions({ models: [{ ...steady, estimatedFrom }], costs, rules, goal })!.timeNs;
    };
    const known = planDimensions({ models: [steady], costs, rules, goal })!.timeNs;
    const times = [4, 9, 24, 10_000].map(runsWith);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times[3]! / known).toBeCloseTo(1, 1);
  });

  // About the model of a calibration of 25 short runs of 30 iterations; npm run bench -- truth plans draws whole calibrations.
  it.each([
    { goal: { kind: 'detect', slowdown: 0.01, power: 0.8 }, least: 0.79, most: 0.86 },
    { goal: { kind: 'detect', slowdown: 0.02, power: 0.8 }, least: 0.79, most: 0.86 },
    { goal: { kind: 'half-width', halfWidth: 0.01 }, least: 0.78, most: 0.88 },
  ] as const)('brings what it was made for, in about four of five experiments: $goal', ({ goal, least, most }) => {
    const made = draws(1500);
    const random = createRandom(`planned ${JSON.stringify(goal)}`);
    const [run, measurement, shortRuns] = [0.014, 0.014, 25];
    const normals = (count: number, { centre, deviation }: { readonly centre: number; readonly deviation: number }) =>
      Float64Array.from({ length: count }, () => centre + deviation * random.normal());
    const explained = measurement ** 2 / 30;
    let reached = 0;
    for (let draw = 0; draw < made; draw++) {
      const seen = variance(normals(shortRuns, { centre: 0, deviation: Math.sqrt(run ** 2 + explained) }));
      const estimated = {
        measurementVariance: measurement ** 2,
        segmentVariance: 0,
        runVariance: Math.max(0, seen - explained),
        shiftRate: 0,
        estimatedFrom: { runMeanVariance: seen, explained, degrees: shortRuns - 1 },
      };
      const plan = planDimensions({ models: [estimated], costs, goal, rules: { ...rules, mostIterations: 4 } })!;
      const centre = goal.kind === 'detect' ? Math.log1p(goal.slowdown) : 0;
      const deviation = Math.sqrt(run ** 2 + measurement ** 2 / plan.iterations);
      const units = { unit: 'run', members: Array.from({ length: plan.runs }, (_, r) => [r]) } as const;
      const values = normals(plan.runs, { centre, deviation });
      const found = rankLocations(values, { units, assignments: null, blocks: units }, rules.confidence);
      const { low, high } = found.rank ?? found.mean;
      if (goal.kind === 'detect' ? low > 0 : (high - low) / 2 <= plan.halfWidths[0]!) reached++;
    }
    expect(reached).toBeGreaterThan(binomialQuantile(0.001, made, least));
    expect(reached).toBeLessThan(binomialQuantile(0.999, made, most));
  });

  it('has no plan for a budget of less than five runs, nor for a width below what runs can reach', () => {
    expect(planDimensions({ models: [model], costs, rules, goal: { kind: 'budget', timeNs: 10e9 } })).toBeNull();
    const goal = { kind: 'half-width', halfWidth: 1e-9 } as const;
    expect(planDimensions({ models: [model], costs, rules, goal })).toBeNull();
  });

  it('reaches a goal for every benchmark of a program', () => {
    const noisy = { ...model, measurementVariance: 4e-3 };
    const goal = { kind: 'half-width', halfWidth: 0.01 } as const;
    const plan = planDimensions({ models: [model, noisy], costs, rules, goal })!;
    expect(Math.max(...plan.halfWidths)).toBe(plan.halfWidths[1]);
    expect(plan.halfWidths[1]).toBeLessThanOrEqual(0.01);
    expect(plan.halfWidths[0]).toBeLessThan(plan.halfWidths[1]!);
  });

  it('takes long runs where runs do not differ', () => {
    const steady = { ...model, runVariance: 0, segmentVariance: 0 };
    const plan = planDimensions({ models: [steady], costs, rules, goal: { kind: 'budget', timeNs: 600e9 } })!;
    expect(plan.optimal).toEqual([{ shortRuns: Infinity, longRuns: Infinity }]);
    expect(plan.iterations).toBeGreaterThan(100);
  });
});
