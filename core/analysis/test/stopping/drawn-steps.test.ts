import { createRandom, mean } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { DrawnSteps } from '../../src/stopping/drawn-steps.ts';
import { resolveStoppingOptions, type StabilityCriterion } from '../../src/stopping/stopping-options.ts';

type Fork = readonly (readonly number[])[];

/** Two forks of 10 iterations each, whose invocations scatter by 2 % around one level. */
function forksOf(name: string, invocations: number): readonly Fork[] {
  const random = createRandom(name);
  return [0, 1].map(() => {
    random.normal();
    return Array.from({ length: 10 }, () => {
      random.normal();
      return Array.from({ length: invocations }, () => 100 * Math.exp(0.02 * random.normal()));
    });
  });
}

function drawnSteps(criterion: StabilityCriterion, stream: string): DrawnSteps {
  const options = resolveStoppingOptions({ criteria: [criterion], seed: 'drawn', like: 'jmh-reconfigure' });
  return new DrawnSteps(criterion, { options, stream });
}

describe('the stability of forks like jmh-reconfigure', () => {
  // Means over 20 histories, each evaluated 50 times by the classes of the authors' repository (commit d2c4f79) with commons-math 3.6.1 and a
  // kernel density written after the formula of smile 1.5.3. Their mean numbers of forks are 2.44 and 2.76, those of `DynamicReconfiguration` 2.46 and 2.78.
  it.each([
    ['even', 300, 0.99087, 0.00031],
    ['short', 60, 0.98767, 0.00043],
  ] as const)(
    'has the mean similarity and change of variation of their classes: %s',
    (name, size, similarity, change) => {
      const values = Array.from({ length: 100 }, (_, draw) => {
        const [first, second] = forksOf(`kld ${name} ${draw % 20}`, size);
        const [kld, cv] = (['kld', 'cv'] as const).map((criterion) => {
          const steps = drawnSteps(criterion, `${name} ${draw}`);
          const before = steps.add(first!);
          const after = steps.add(second!);
          return criterion === 'kld' ? after! : Math.abs(after! - before!);
        });
        return [kld!, cv!] as const;
      });
      // Three standard errors; drawn once only, the similarity of the second is 0.9935.
      expect(Math.abs(mean(values.map(([kld]) => kld)) - similarity)).toBeLessThan(0.0015);
      expect(Math.abs(mean(values.map(([, cv]) => cv)) - change)).toBeLessThan(0.00015);
    },
  );

  it('counts an iteration as often as it has invocations, and leaves out what is far from the median of the fork', () => {
    const steps = drawnSteps('cv', 'weights');
    const quick = { values: [100], counts: [9_900] };
    const slow = { values: [200, 5000], counts: [100, 10] };
    const [share, value] = [100 / 10_000, 200];
    const expected = Math.sqrt(share * (1 - share)) * (value - 100);
    expect(steps.add([quick, slow])! / (expected / (100 + share * 100))).toBeGreaterThan(0.6);
    expect(drawnSteps('cv', 'far').add([quick, slow])! / (expected / 101)).toBeLessThan(1.5);
  });

  it('is not defined after the first fork by kld, and is 0 where nothing varies', () => {
    expect(drawnSteps('kld', 'first').add([[1, 2, 3]])).toBeNull();
    for (const criterion of ['cv', 'rciw'] as const) expect(drawnSteps(criterion, 'same').add([[7, 7]])).toBe(0);
  });
});
