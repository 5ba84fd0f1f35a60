import { describe, expect, it, vi } from 'vitest';
import { createBenchmarks } from '../src/create-benchmarks.ts';
import { Calibration, execute } from '../src/execute.ts';
import { Part } from '../src/part.ts';
import { readEnvironment } from '../src/read-environment.ts';
import { driveSync } from '../src/work.ts';

/** Calibrates with a function that takes `invocationNs(n)` the n-th time, by a clock that it alone moves. */
function calibrate(
  invocationNs: (nth: number) => number,
  targetNs: number,
  {
    leastRoundNs,
    mostInvocations,
    preparedNs = 0,
  }: { leastRoundNs?: number; mostInvocations?: number; preparedNs?: number } = {},
): { readonly result: number; readonly rounds: readonly number[] } {
  const calibration = new Calibration(targetNs, {
    ...(leastRoundNs === undefined ? {} : { leastRoundNs }),
    mostInvocations,
  });
  const rounds: number[] = [];
  let done = 0;
  let now = 0;
  while (calibration.result === null) {
    rounds.push(calibration.next);
    const start = now;
    for (let i = 0; i < calibration.next; i++) now += invocationNs(done++);
    calibration.observe(now - start, now - start + preparedNs);
  }
  return { result: calibration.result, rounds };
}

/** 24 us each for the first 4000, as a parser of JSON has, 7 us from then on. */
function parse(nth: number): number {
  return nth < 4000 ? 24_000 : 7000;
}

describe('the calibration', () => {
  it('finds how many invocations take the wanted time', () => {
    expect(calibrate(() => 250, 1_000_000).result).toBe(4000);
  });

  it('grows at most sixteenfold a round until half the time is reached, then asks for agreement', () => {
    expect(calibrate(() => 25_000, 100_000_000).rounds).toEqual([1, 16, 256, 4000, 4000]);
  });

  it('leaves one invocation where that takes longer than wanted', () => {
    expect(calibrate(() => 300_000_000, 100_000_000)).toEqual({ result: 1, rounds: [1, 1] });
  });

  it('does not believe the slow first invocations', () => {
    // 100 us each for the first 8, 100 ns from then on: 10 000 take 1 ms.
    const { result } = calibrate((nth) => (nth < 8 ? 100_000 : 100), 1_000_000);
    expect(result).toBe(10_000);
  });

  it('is not done before a function that is compiled after thousands of invocations is', () => {
    const { result } = calibrate(parse, 2_000_000);
    expect(result).toBe(286);
  });

  it('goes on until such a function is compiled also where rounds are short, unless what they need takes the time', () => {
    expect(calibrate(parse, 2_000_000, { leastRoundNs: 0 }).result).toBe(286);
    // A second of preparation for each round.
    expect(calibrate(parse, 2_000_000, { leastRoundNs: 0, preparedNs: 1e9 }).rounds).toEqual([1, 16, 83, 83]);
  });

  it('ends with the largest number where the clock never moves', () => {
    for (const [mostInvocations, rounds] of [
      [undefined, 10],
      [1000, 40],
    ] as const) {
      const calibration = new Calibration(1_000_000, { mostInvocations });
      for (let round = 0; calibration.result === null; round++) {
        expect(round).toBeLessThan(rounds);
        calibration.observe(0);
      }
      expect(calibration.result).toBe(mostInvocations ?? 2 ** 31 - 1);
    }
  });

  it('never does more than may be prepared at once, and goes on with those until the function is compiled', () => {
    const { result, rounds } = calibrate(() => 1, 5_000_000, {
      leastRoundNs: 0,
      mostInvocations: 1000,
      preparedNs: 3e6,
    });
    expect(result).toBe(1000);
    expect([Math.max(...rounds), rounds.length]).toEqual([1000, 34]);
  });

  it('ends after 40 rounds where no two of them agree', () => {
    const calibration = new Calibration(100_000_000);
    let rounds = 0;
    while (calibration.result === null) calibration.observe(++rounds % 2 === 0 ? 70_000_000 : 190_000_000);
    expect(rounds).toBe(40);
  });

  it('does not count the time for which the thread waited for a core', async () => {
    const invocationNs = 1000;
    const waits = 9;
    const part = await Part.join(readEnvironment({}));
    let done = 0;
    vi.spyOn(part.delay, 'stop').mockImplementation(() => {
      part.delay.delayNs = done * invocationNs * waits;
    });
    const [benchmark] = createBenchmarks('x', () => undefined, { iterations: 1, iterationTime: 50 });
    const { invocations } = driveSync(execute(benchmark!, part), (work) => {
      done = work.invocations;
      work.times[0] = 0n;
      work.times[1] = BigInt(done * invocationNs * (1 + waits));
      return undefined;
    });
    expect(invocations).toBe(50_000);
  });
});
