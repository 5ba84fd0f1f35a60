import type { Trial } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { sideTrial } from '../src/compare/compare-sides.ts';
import { RunningRatio } from '../src/compare/analyse-interim.ts';

function trialOf(a: number, b: number, changes: Partial<Trial> = {}): Trial {
  const trial = sideTrial({ run: 0, method: 'sync-duet', wallNs: 0 });
  const side = (ns: number): Trial['sides']['A'] => ({ ...trial.sides.A, iterations: [{ i: 0, s: 10, e: 10 + ns }] });
  return { ...trial, sides: { A: side(a), B: side(b) }, ...changes };
}

describe('the ratio of the runs so far', () => {
  it('is the geometric mean with the t interval', () => {
    const running = new RunningRatio();
    for (const b of [100, 110, 121]) running.add(trialOf(100, b));
    // Logs 0, l, 2 l with l = ln 1.1: mean l, deviation l, error l / sqrt(3); t(0.995, 2) = 9.924843.
    const reach = (9.924843 * Math.log(1.1)) / Math.sqrt(3);
    const found = running.ratio(0.99);
    expect(found?.estimate).toBeCloseTo(1.1, 12);
    expect(found?.low).toBeCloseTo(Math.exp(Math.log(1.1) - reach), 6);
    expect(found?.high).toBeCloseTo(Math.exp(Math.log(1.1) + reach), 6);
  });

  it('has no part of failed runs, pilots, and programs that hold their iterations', () => {
    const running = new RunningRatio();
    for (let run = 0; run < 3; run += 1) {
      running.add(trialOf(100, 200, { status: 'failed' }));
      running.add(trialOf(100, 200, { phase: 'pilot' }));
      running.add(trialOf(0, 0));
    }
    expect(running.ratio(0.99)).toBeNull();
  });

  it('is of CPU time in a tandem', () => {
    const running = new RunningRatio();
    const { sides } = trialOf(100, 100);
    const tandem = { A: { ...sides.A, userNs: 40, systemNs: 10 }, B: { ...sides.B, userNs: 100, systemNs: 0 } };
    for (let run = 0; run < 3; run += 1) running.add(trialOf(1, 1, { method: 'tandem', sides: tandem }));
    expect(running.ratio(0.99)).toEqual({ estimate: 2, low: 2, high: 2 });
  });
});
