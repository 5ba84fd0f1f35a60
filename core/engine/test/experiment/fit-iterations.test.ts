import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeInvocations, fitIterations } from '../../src/experiment/fit-iterations.ts';

const ms = 1e6;
const quick = { iterations: 40, leftNs: 20e9, method: 'tandem' } as const;

describe('the iterations of a run', () => {
  it('are as many as fit 20 times into what is left', () => {
    // 1 s a run, 100 ms a pair on the core that both share; in a duet 50 ms.
    expect(fitIterations([{ A: 50 * ms, B: 50 * ms }], quick)).toEqual({ iterations: 10, factors: [1] });
    expect(fitIterations([{ A: 50 * ms, B: 50 * ms }], { ...quick, method: 'sync-duet' }).iterations).toBe(20);
  });

  it('are no more than were asked for', () => {
    expect(fitIterations([{ A: ms, B: ms }], quick).iterations).toBe(40);
  });

  it('take as long on the slower side as they took on the faster one', () => {
    // 30 times slower: 1.5 s becomes 50 ms, on the other side 50 / 30 ms; a pair takes 51.7 ms.
    const { iterations, factors } = fitIterations([{ A: 50 * ms, B: 1500 * ms }], quick);
    expect(factors[0]).toBeCloseTo(1 / 30, 12);
    expect(iterations).toBe(19);
  });

  it('get shorter where there are many benchmarks', () => {
    const times = Array.from({ length: 50 }, () => ({ A: 50 * ms, B: 50 * ms }));
    // 4 iterations of 50 pairs of 100 ms are 20 s, and a run may take 1 s.
    const { iterations, factors } = fitIterations(times, quick);
    expect(iterations).toBe(4);
    expect(factors[0]).toBeCloseTo(1 / 20, 12);
  });
});

it('the agreed invocations change for the benchmark that is meant, and are at least one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deadheat-fit-'));
  try {
    const file = (k: number): string => join(folder, `${k}.json`);
    writeFileSync(file(0), '{"benchmark":"sort","params":{"n":"1"},"invocations":300}\n');
    writeFileSync(file(1), '{"benchmark":"sort","params":{"n":"2"},"invocations":300}\n');
    writeFileSync(file(2), '{"benchmark":"sum","invocations":3}\n');
    changeInvocations(folder, [
      { benchmark: 'sort', params: { n: '2' }, factor: 0.1 },
      { benchmark: 'sum', params: {}, factor: 0.01 },
    ]);
    const invocations = [0, 1, 2].map(
      (k) => (JSON.parse(readFileSync(file(k), 'utf8')) as { invocations: number }).invocations,
    );
    expect(invocations).toEqual([300, 30, 1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
