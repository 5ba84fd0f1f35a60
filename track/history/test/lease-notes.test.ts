import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdersOf, type LeaseNote } from '../src/files/line-file.ts';
import type { HistoryNote } from '../src/history.ts';

function at(minute: number): string {
  return new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString();
}

function lease(minute: number, holder: string, until: number, renews = false): HistoryNote {
  const content: LeaseNote = { name: 'c1', holder, until: at(until), renews };
  return { at: at(minute), content };
}

function holderOf(notes: readonly HistoryNote[], minute: number): string | null {
  return holdersOf(notes, at(minute)).get('c1') ?? null;
}

describe('leases in a folder', () => {
  it('go to who asked first, until they are given back or over', () => {
    const asked = [lease(0, 'one', 10), lease(1, 'two', 11)];
    expect(holderOf(asked, 2)).toBe('one');
    expect(holderOf(asked, 10)).toBeNull();
    const returned = [...asked, lease(3, 'one', 3, true), lease(4, 'two', 14)];
    expect(holderOf(returned, 5)).toBe('two');
    const renewed = [...asked, lease(9, 'one', 19, true), lease(12, 'two', 22)];
    expect(holderOf(renewed, 12)).toBe('one');
  });

  it('are renewed after their end while nobody else has taken them, and not afterwards', () => {
    expect(holderOf([lease(0, 'one', 10), lease(11, 'one', 21, true)], 12)).toBe('one');
    const taken = [lease(0, 'one', 10), lease(11, 'two', 21), lease(12, 'two', 12, true)];
    expect(holderOf([...taken, lease(13, 'one', 23, true)], 14)).toBeNull();
    expect(holderOf([lease(0, 'one', 10, true)], 1)).toBeNull();
  });

  it('leave out notes of another form', () => {
    expect(
      holderOf(
        [
          { at: at(0), content: { name: 'c1' } },
          { at: at(0), content: null },
        ],
        1,
      ),
    ).toBeNull();
  });

  it('never give the same work to two, in whatever order they ask, renew and end', () => {
    const act = fc.record({ holder: fc.constantFrom('one', 'two', 'three'), ends: fc.boolean() });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 30 }), (acts) => {
        const notes: HistoryNote[] = [];
        let working: string | null = null;
        let until = 0;
        for (const [minute, { holder, ends }] of acts.entries()) {
          if (working !== null && minute >= until) working = null;
          if (ends && working !== holder) continue;
          notes.push(lease(minute, holder, ends ? minute : minute + 10, ends));
          const holds = holderOf(notes, minute) === holder;
          expect(holds).toBe(!ends && (working === null || working === holder));
          if (ends) working = null;
          else if (holds) [working, until] = [holder, minute + 10];
        }
      }),
      { seed: 21, numRuns: 200 },
    );
  });
});
