import { createRandom, mean, standardDeviation, studentTQuantile } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
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
    for (const iterations of [1, plan.optimal[0]!.shortRuns, plan.optimal[0]!.longRuns, 10 * plan.iterations]) {
      const runs = Math.floor(timeNs / (costs.runNs + iterations * costs.iterationNs));
      const width = studentTQuantile(0.995, runs - 1) * Math.sqrt(plannedVariance(model, { runs, iterations }));
      expect(plan.halfWidths[0]).toBeLessThanOrEqual(width * (1 + 1e-12));
    }
  });

  it('reaches a half-width with the fewest runs of its kind', () => {
    const goal = { kind: 'half-width', halfWidth: 0.005 } as const;
    const plan = planDimensions({ models: [model], costs, rules, goal })!;
    expect(plan.halfWidths[0]).toBeLessThanOrEqual(0.005);
    const fewer = { runs: plan.runs - 1, iterations: plan.iterations };
    const width = studentTQuantile(0.995, fewer.runs - 1) * Math.sqrt(plannedVariance(model, fewer));
    expect(width).toBeGreaterThan(0.005);
    expect(plan.timeNs).toBe(experimentTimeNs(plan, costs));
  });

  it('detects what it was planned for, as often as asked: simulated', () => {
    const goal = { kind: 'detect', slowdown: 0.01, power: 0.9 } as const;
    const plan = planDimensions({ models: [model], costs, rules, goal })!;
    const random = createRandom('planned power');
    const deviation = Math.sqrt(plannedVariance(model, plan) * plan.runs);
    const quantile = studentTQuantile(0.995, plan.runs - 1);
    let detected = 0;
    for (let k = 0; k < 2000; k++) {
      const runs = Float64Array.from({ length: plan.runs }, () => Math.log(1.01) + deviation * random.normal());
      if (mean(runs) - (quantile * standardDeviation(runs)) / Math.sqrt(plan.runs) > 0) detected++;
    }
    expect(detected / 2000).toBeGreaterThan(0.88);
    expect(detected / 2000).toBeLessThan(0.94);
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
