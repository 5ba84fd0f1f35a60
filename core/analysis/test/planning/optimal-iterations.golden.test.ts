import { describe, expect, it } from 'vitest';
import { optimalIterations } from '../../src/planning/plan-dimensions.ts';
import { readGolden } from '../helpers/golden.ts';

interface Golden {
  readonly substitution: {
    readonly input: Readonly<Record<'var_B' | 'var_S' | 'var_R' | 'cost_measurement' | 'cost_run', number>>;
    readonly expected: Readonly<Record<'very_short_runs' | 'very_long_runs', { readonly nr: number }>>;
  };
}

const golden = readGolden('14-dimensions.json') as Golden;

describe('14: optimum dimensions', () => {
  it('substitutes segments at both extremes', () => {
    const { input, expected } = golden.substitution;
    expect(
      optimalIterations(
        { measurementVariance: input.var_B, segmentVariance: input.var_S, runVariance: input.var_R, shiftRate: 1e-3 },
        { iterationNs: input.cost_measurement, runNs: input.cost_run },
      ),
    ).toEqual({ shortRuns: expected.very_short_runs.nr, longRuns: expected.very_long_runs.nr });
  });
});
