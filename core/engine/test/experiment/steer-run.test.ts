import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { RunStability } from '@deadheat/analysis';
import { stableDefaults } from '@deadheat/model';
import { createPage, getAffinity, hasNativeCalls, removePage, resolveDecision, word, type Page } from '@deadheat/sync';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Steering } from '../../src/run/executor.ts';
import { steerRun } from '../../src/experiment/steer-run.ts';

const [measure, warmup, stop] = [0, 1, 2];

describe.skipIf(!hasNativeCalls())('steering a run', () => {
  let directory: string;
  let page: Page;
  let steering: Steering;
  let stabilities: Map<string, RunStability>;
  const files = () => ({ A: join(directory, 'A'), B: join(directory, 'B') });
  const affinity = hasNativeCalls() ? getAffinity() : [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'steer-run-test-'));
    page = createPage(directory);
    stabilities = new Map();
    const rule = { ...stableDefaults, criteria: ['cv' as const], measured: 3 };
    const stabilityOf = ({ benchmark }: { readonly benchmark: string }): RunStability => {
      const config = { seed: 'test', stop: { kind: 'runs' as const, runs: 2 } };
      const known = stabilities.get(benchmark);
      const one = known ?? new RunStability(rule, { benchmark: { name: benchmark, params: {} }, config });
      stabilities.set(benchmark, one);
      return one;
    };
    const [a = 0, b = a] = affinity;
    const run = { run: 0, phase: 'measure', cpus: { A: [a], B: [b] }, warmsUp: true } as const;
    steering = steerRun({ ...run, stabilityOf });
    steering.begin(page, files());
  });
  afterEach(() => {
    steering.end();
    removePage(page.path);
    rmSync(directory, { recursive: true });
    expect(getAffinity()).toEqual(affinity);
  });

  const begin = (names: { A: string; B: string }): void => {
    for (const side of ['A', 'B'] as const) {
      appendFileSync(files()[side], `{"deadheat":1,"benchmark":"${names[side]}"}\n`);
    }
  };
  let clock = 0;
  /** Iterations of equal length, as the sides would record them. */
  const record = (from: number, count: number, p: 'warmup' | 'measure'): void => {
    for (let i = from; i < from + count; i++) {
      const line = `${JSON.stringify({ i, s: clock, e: clock + 1000, p })}\n`;
      clock += 1000;
      for (const side of ['A', 'B'] as const) appendFileSync(files()[side], line);
    }
    for (const party of [0, 1]) Atomics.add(page.words, word.workDone(party), count);
  };
  const told = async (kind: number | undefined, benchmark: number): Promise<void> => {
    while (resolveDecision(page.words, benchmark) !== kind) await pause(1);
  };

  it('begins with warm-up, measures when it is stable, and stops one benchmark after the other', async () => {
    expect([0, 1, 2].map((benchmark) => resolveDecision(page.words, benchmark))).toEqual([warmup, warmup, warmup]);
    begin({ A: 'one', B: 'one' });
    record(0, 5, 'warmup');
    await told(measure, 1);
    // The sides hear of it an iteration later.
    record(5, 1, 'warmup');
    record(6, 3, 'measure');
    await told(stop, 1);
    expect(resolveDecision(page.words, 2)).toBe(warmup);
    begin({ A: 'two', B: 'two' });
    record(0, 5, 'warmup');
    await told(measure, 2);
    expect(stabilities.get('one')?.result.runs).toMatchObject([{ warmup: 6, decidedAfter: 5, stable: true }]);
  });

  it('takes the last iterations at the end', () => {
    begin({ A: 'one', B: 'one' });
    record(0, 5, 'warmup');
    record(5, 3, 'measure');
    steering.end();
    expect(stabilities.get('one')?.result.runs).toHaveLength(1);
  });

  it('stops sides that do not do the same', async () => {
    begin({ A: 'one', B: 'other' });
    record(0, 1, 'warmup');
    await told(stop, 1);
    expect(resolveDecision(page.words, 2)).toBe(stop);
  });

  it('stops sides whose records cannot be read', async () => {
    begin({ A: 'one', B: 'one' });
    appendFileSync(files().B, 'nonsense\n');
    record(0, 1, 'warmup');
    await told(stop, 1);
  });
});
