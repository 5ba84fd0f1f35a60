import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttemptEntry, StartEntry } from '@deadheat/model';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { budgetAfter, shareOf } from '../src/attempt/budget.ts';
import { judgeAttempt, type JudgedComparison, suspicionOf } from '../src/attempt/judge.ts';
import { appendEntry, ledgerOf, readLedger } from '../src/attempt/ledger.ts';

describe('the error budget', () => {
  it('has shares that sum to 1, and no more however many attempts there are', () => {
    let sum = 0;
    for (let step = 1; step <= 100_000; step += 1) sum += shareOf(step);
    // What is behind is 6 / pi^2 times about 1 / 100 000.
    expect(sum).toBeCloseTo(1 - 6 / Math.PI ** 2 / 100_000, 9);
  });

  it('is left in full at the beginning, and leaves every further attempt less', () => {
    expect(budgetAfter(0.05, 0)).toEqual({
      error: 0.05,
      spentBy: 0,
      left: 1,
      nextConfidence: 1 - (0.05 * 6) / Math.PI ** 2,
    });
    const confidences = [0, 1, 2, 10, 200].map((count) => budgetAfter(0.05, count).nextConfidence);
    expect(confidences).toEqual(confidences.toSorted((one, other) => one - other));
    expect(budgetAfter(0.05, 2).left).toBeCloseTo(1 - shareOf(1) - shareOf(2), 12);
  });

  it('refuses steps that are no numbers of attempts', () => {
    for (const step of [0, -1, 1.5, Number.NaN]) expect(() => shareOf(step)).toThrow(RangeError);
  });
});

function comparison(
  facts: Partial<JudgedComparison> & { readonly ratio: readonly [number, number, number] },
): JudgedComparison {
  const { ratio, ...rest } = facts;
  const [low, estimate, high] = ratio;
  return {
    benchmark: 'sort',
    verdict: 'undecided',
    interval: { estimate, low, high, level: 0.99, kind: 'anytime-t', replicates: 0 },
    margin: 0,
    outlook: null,
    runs: 20,
    time: { wallNs: 10e9, machineNs: 10e9 },
    pValues: { faster: 0.001 },
    ...rest,
  };
}

const alone = { targets: [], error: 0.01 };

describe('the answer to an attempt', () => {
  it('is keep for faster, and revert for slower and for a dead heat', () => {
    const answers = (['faster', 'slower', 'dead-heat'] as const).map(
      (verdict) => judgeAttempt([comparison({ verdict, ratio: [0.97, 0.98, 0.99] })], alone).answer,
    );
    expect(answers).toEqual(['keep', 'revert', 'revert']);
  });

  it('is not yet where it looks faster and as much time again would show it, else revert', () => {
    const looking = (moreTimeNs: number): JudgedComparison =>
      comparison({ ratio: [0.96, 0.98, 1.001], outlook: { moreRuns: 9, moreTimeNs } });
    expect(judgeAttempt([looking(9e9)], alone)).toMatchObject({
      answer: 'not-yet',
      reason: 'it looks faster, and about 9 s more would show it',
    });
    expect(judgeAttempt([looking(11e9)], alone).answer).toBe('revert');
    // 0.2 % of gain: what would come soon is a dead heat.
    const level = comparison({ ratio: [0.98, 0.998, 1.01], outlook: { moreRuns: 2, moreTimeNs: 1e9 } });
    expect(judgeAttempt([level], alone).answer).toBe('revert');
  });

  it('of several benchmarks wants those that are named, and none that is slower', () => {
    const faster = comparison({ benchmark: 'sort', verdict: 'faster', ratio: [0.9, 0.92, 0.95] });
    const level = comparison({ benchmark: 'parse', verdict: 'dead-heat', ratio: [0.99, 1, 1.01] });
    const slower = comparison({ benchmark: 'parse', verdict: 'slower', ratio: [1.02, 1.05, 1.08] });
    const looksSlower = comparison({ benchmark: 'parse', ratio: [0.99, 1.04, 1.09] });
    const named = { targets: ['sort'], error: 0.01 };
    expect(judgeAttempt([faster, level], named)).toMatchObject({ answer: 'keep', reason: 'sort: it is faster' });
    expect(judgeAttempt([faster, slower], named)).toMatchObject({ answer: 'revert', reason: 'parse: it is slower' });
    expect(judgeAttempt([faster, looksSlower], named).answer).toBe('not-yet');
    expect(judgeAttempt([level], named)).toMatchObject({ answer: 'revert', reason: 'there is no benchmark sort' });
    expect(judgeAttempt([faster, level], { targets: ['sort', 'parse'], error: 0.01 }).answer).toBe('revert');
  });

  it('divides the level among benchmarks of which any may become faster', () => {
    const faster = (p: number): JudgedComparison =>
      comparison({ verdict: 'faster', ratio: [0.9, 0.92, 0.95], pValues: { faster: p } });
    const level = comparison({ benchmark: 'parse', verdict: 'dead-heat', ratio: [0.99, 1, 1.01] });
    // 1 % over two benchmarks and two sides.
    expect(judgeAttempt([faster(0.0024), level], alone).answer).toBe('keep');
    expect(judgeAttempt([faster(0.0026), level], alone).answer).not.toBe('keep');
  });

  it('leaves controls out, and compares nothing with nothing', () => {
    const control = comparison({ verdict: 'slower', ratio: [1.1, 1.2, 1.3], controlOf: 'sort' });
    const faster = comparison({ verdict: 'faster', ratio: [0.9, 0.92, 0.95] });
    expect(judgeAttempt([faster, control], alone).answer).toBe('keep');
    expect(judgeAttempt([control], alone)).toMatchObject({ answer: 'revert', judged: { interval: null } });
  });

  it('is suspect where outputs were not compared, and where half of the time is gone', () => {
    expect(suspicionOf({ high: 0.97 }, { isChecked: true })).toBeNull();
    expect(suspicionOf({ high: 0.97 }, { isChecked: false })).toMatch(/nobody compared/);
    expect(suspicionOf({ high: 0.49 }, { isChecked: true })).toMatch(/less than half/);
  });
});

const commit = (id: string) => ({ id, short: id.slice(0, 7), subject: 'x' });
const start: StartEntry = {
  kind: 'start',
  schema: 'deadheat.attempts/1',
  name: 'loop',
  at: '2026-01-01T00:00:00Z',
  baseline: commit('a'.repeat(40)),
  error: 0.05,
  subject: { commands: [{ command: 'true' }] },
  changes: { typed: {}, filter: [], resources: [] },
  versions: { setup: null, bench: null },
  targets: [],
};
const judged = { verdict: 'faster', interval: null, benchmark: null, runs: 0, wallNs: 0, recording: null } as const;

function entry(number: number, facts: Partial<AttemptEntry> = {}): AttemptEntry {
  return {
    kind: 'attempt',
    number,
    at: '2026-01-01T00:00:00Z',
    diff: String(number),
    commit: commit(String(number).repeat(40)),
    against: start.baseline,
    message: null,
    answer: 'revert',
    reason: 'no',
    confidence: 0.99,
    suspect: null,
    first: judged,
    again: null,
    environment: { host: 'h', cpu: 'c', cores: 2, node: 'v20', load: 0 },
    ...facts,
  };
}

describe('the ledger', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'deadheat-ledger-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('holds the best state, and what was spent', async () => {
    await appendEntry(folder, start);
    expect(readLedger(folder)).toMatchObject({ best: start.baseline, next: 1, budget: { spentBy: 0 }, end: null });
    await appendEntry(folder, entry(1, { answer: 'keep' }));
    await appendEntry(folder, entry(2));
    // It did not run: nothing is spent.
    await appendEntry(folder, entry(3, { confidence: null }));
    expect(readLedger(folder)).toMatchObject({ best: commit('1'.repeat(40)), next: 4, budget: { spentBy: 2 } });
  });

  it('counts an attempt that ended while it was measured as spent, by its recording', async () => {
    await appendEntry(folder, start);
    await appendEntry(folder, entry(1));
    for (const name of ['001', '002', '002-again', 'end']) mkdirSync(join(folder, name));
    expect(readLedger(folder)).toMatchObject({ next: 3, interrupted: 1, budget: { spentBy: 2 } });
  });

  it('passes over half a line, and replaces it', async () => {
    await appendEntry(folder, start);
    const path = ledgerOf(folder);
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"kind":"att`);
    expect(readLedger(folder).attempts).toEqual([]);
    await appendEntry(folder, entry(1));
    expect(readLedger(folder).attempts).toEqual([entry(1)]);
  });

  it('names the line that is damaged', async () => {
    await appendEntry(folder, start);
    writeFileSync(ledgerOf(folder), `${JSON.stringify(start)}\n{"kind":"attempt"}\n`);
    expect(() => readLedger(folder)).toThrow(/line 2/);
    writeFileSync(ledgerOf(folder), `${JSON.stringify(entry(1))}\n`);
    expect(() => readLedger(folder)).toThrow(/line 1: it does not begin a loop/);
    expect(() => readLedger(join(folder, 'absent'))).toThrow(/cannot be read/);
  });
});
