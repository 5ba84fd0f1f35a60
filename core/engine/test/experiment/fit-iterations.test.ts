import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeInvocations, fitInvocations } from '../../src/experiment/fit-iterations.ts';

const ms = 1e6;
const quick = { iterations: 40, leftNs: 20e9, method: 'tandem' } as const;

describe('the iterations of a run in a time limit', () => {
  it('are never fewer or shorter, so that warm-up is not measured: there are fewer runs', () => {
    // 40 pairs of 100 ms on the core that both share are 4 s a run; in a duet 2 s.
    expect(fitInvocations([{ A: 50 * ms, B: 50 * ms }], quick)).toEqual([1]);
    expect(fitInvocations([{ A: 50 * ms, B: 100 * ms }], { ...quick, leftNs: 31e9 })).toEqual([1]);
    expect(fitInvocations([{ A: 50 * ms, B: 50 * ms }], { ...quick, leftNs: 9e9 })).toEqual([1]);
  });

  it('take as long on the slower side as they took on the faster one where few runs would fit', () => {
    const [factor] = fitInvocations([{ A: 50 * ms, B: 1500 * ms }], quick);
    expect(factor).toBeCloseTo(1 / 30, 12);
    expect(fitInvocations([{ A: 50 * ms, B: 1500 * ms }], { ...quick, leftNs: 400e9 })).toEqual([1]);
  });

  it('are refused where not even two runs fit, with what would', () => {
    const times = Array.from({ length: 50 }, () => ({ A: 50 * ms, B: 50 * ms }));
    expect(() => fitInvocations(times, { ...quick, leftNs: 200e9 })).toThrow(
      /leaves 200 s, and a run of the 50 benchmarks takes about 200 s for 40 iterations.*Allow 1000 s or more, or choose about 10 of them/,
    );
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
