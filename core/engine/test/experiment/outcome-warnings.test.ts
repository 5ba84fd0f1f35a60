import { describe, expect, it } from 'vitest';
import { outcomeWarnings } from '../../src/experiment/trial-runner.ts';

const quiet = { executions: [], strays: 0, stderrBytes: 1000, stopped: false, observed: null };

describe('a run that counts', () => {
  it('has nothing to remark when it only did its work', () => {
    expect(outcomeWarnings({ sides: { A: quiet, B: quiet }, failures: [] })).toEqual([]);
  });

  it('is remarked on for processes left behind and for much standard error, by side', () => {
    const sides = { A: { ...quiet, stderrBytes: 17 * 2 ** 20 }, B: { ...quiet, strays: 2 } };
    const warnings = outcomeWarnings({ sides, failures: [] });
    expect(warnings.map(({ code, message }) => [code, message[0]])).toEqual([
      ['STDERR_LARGE', 'A'],
      ['STRAY_PROCESSES', 'B'],
    ]);
  });

  it('is the only kind that is remarked on: a failure speaks for itself', () => {
    const failure = { side: 'B', code: 'STRAY_PROCESS', message: 'B left a process running' } as const;
    expect(outcomeWarnings({ sides: { A: quiet, B: { ...quiet, strays: 1 } }, failures: [failure] })).toEqual([]);
  });
});
