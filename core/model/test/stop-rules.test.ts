import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  askedStopRule,
  replacedByStopSettings,
  stopRuleOf,
  stopRuleSchema,
  type StopRule,
} from '../src/stop-rules/stop-rules.ts';

/** One of each kind, with limits where it takes any. */
const rules: { readonly [Kind in StopRule['kind']]: Extract<StopRule, { kind: Kind }> } = {
  runs: { kind: 'runs', runs: 7 },
  enough: { kind: 'enough', minRuns: 8, maxRuns: 12, minTimeNs: 3e9 },
  precision: { kind: 'precision', precision: 0.01, minRuns: 8, maxRuns: 12 },
  decided: { kind: 'decided', minRuns: 8, maxRuns: 12 },
  stable: { kind: 'stable', minRuns: 2, maxRuns: 5 },
};

describe.each(Object.values(rules))('the stop rule $kind', (stop) => {
  const rule = stopRuleOf(stop);

  it('is what its schema takes', () => {
    expect(stopRuleSchema.parse(stop)).toEqual(stop);
  });

  it('has enough at its most runs, and not before its fewest', () => {
    function at(runs: number): boolean {
      return rule.isEnough({ runs, elapsedNs: 1e12, isStable: false, liftCaps: 1 });
    }
    expect(at(rule.mostRuns)).toBe(true);
    expect(at(rule.minRuns - 1)).toBe(false);
  });

  it('expects its fewest to its most runs, and a time of no more than that', () => {
    const second = 1e9;
    const [least, most] = rule.expectedTimeNs({ timeOf: (runs) => runs * second, liftCaps: 1 });
    expect(least).toBeGreaterThanOrEqual(rule.minRuns * second);
    expect(least).toBeLessThanOrEqual(most);
    expect(most).toBeLessThanOrEqual(rule.mostRuns * second);
  });

  it('measures its share from 0 to at least 1, unless the measurements decide', () => {
    function share(runs: number): number {
      return rule.shareDone({ runs, elapsedNs: runs * 1e9 });
    }
    expect(share(0)).toBe(0);
    expect(share(rule.mostRuns) >= 1).toBe(rule.interim === null);
  });

  it('asks for what is reached when the interval is narrow and the verdict safe', () => {
    if (rule.interim === null) return;
    expect(rule.interim.isReached({ halfWidth: 0.5, decided: false })).toBe(false);
    expect(rule.interim.isReached({ halfWidth: 0.001, decided: true })).toBe(true);
  });

  it('is asked for by what it says it was asked by', () => {
    const { kind } = askedStopRule({ ...rule.asked, ...(stop.kind === 'stable' ? { stable: {} } : {}) });
    expect(kind).toBe(stop.kind);
  });
});

it('decided may wait for one verdict alone', () => {
  const stop = askedStopRule({ until: 'faster', 'max-runs': 40 });
  expect(stop).toEqual({ kind: 'decided', only: 'faster', minRuns: 5, maxRuns: 40 });
  expect(stopRuleOf(stop).interim?.only).toBe('faster');
  expect(stopRuleOf(askedStopRule({ until: 'decided' })).interim).not.toHaveProperty('only');
});

describe('settings of an inner layer', () => {
  it.each([
    { said: ['runs'], replaced: ['precision', 'until', 'min-runs', 'max-runs'] },
    { said: ['precision'], replaced: ['runs', 'until'] },
    { said: ['until', 'max-runs'], replaced: ['runs', 'precision'] },
    { said: ['min-runs'], replaced: ['runs'] },
    { said: ['stable', 'margin'], replaced: [] },
  ])('with $said take the place of $replaced', ({ said, replaced }) => {
    expect(replacedByStopSettings(said)).toEqual(replaced);
  });
});

it('is known by its kind nowhere but beside its own module', () => {
  const packages = fileURLToPath(new URL('../..', import.meta.url));
  const asks = /\bstop\??\.kind\b|\bstop: \{ kind\b(?!:)|\bstopRule\.kind\b/;
  const found = readdirSync(packages).flatMap((name) => {
    const source = join(packages, name, 'src');
    return readdirSync(join(packages, name)).includes('src') ? filesBelow(source) : [];
  });
  expect(found.length).toBeGreaterThan(300);
  const asking = found.filter((path) => asks.test(readFileSync(path, 'utf8')));
  expect(asking.map((path) => relative(packages, path))).toEqual(['model/src/stop-rules/stop-rules.ts']);
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));
}
