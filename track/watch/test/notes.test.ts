import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostTries, WatchNotes } from '../src/notes.ts';
import type { HistoryNote } from '@deadheat/history';
import type { WatchNote } from '../src/watch-note.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString();
const note = (minute: number, content: WatchNote): HistoryNote => ({ at: at(minute), content });

function lease(minute: number, holder: string, until: number): HistoryNote {
  return note(minute, { kind: 'lease', project: 'p', work: 'c1', holder, until: at(until) });
}

function failure(minute: number): HistoryNote {
  return note(minute, { kind: 'failure', project: 'p', commit: 'c1', code: 'SETUP_FAILED', message: 'no make' });
}

function now(time: string): Parameters<WatchNotes['closedFor']>[1] {
  return { at: time, isGone: (holder) => holder === 'gone' };
}

describe('notes of collectors', () => {
  it('give work to who asked first, until it is given back or its time is over', () => {
    const asked = [lease(0, 'one', 10), lease(1, 'two', 11)];
    expect(new WatchNotes(asked, 'p').holderOf('c1', at(2))).toBe('one');
    expect(new WatchNotes(asked, 'p').closedFor('two', now(at(2)))).toEqual(new Set(['c1']));
    expect(new WatchNotes(asked, 'p').closedFor('one', now(at(2)))).toEqual(new Set());
    expect(new WatchNotes(asked, 'p').holderOf('c1', at(10))).toBeNull();
    const returned = [...asked, lease(3, 'one', 3), lease(4, 'two', 14)];
    expect(new WatchNotes(returned, 'p').holderOf('c1', at(5))).toBe('two');
    const renewed = [...asked, lease(9, 'one', 19), lease(12, 'two', 22)];
    expect(new WatchNotes(renewed, 'p').holderOf('c1', at(12))).toBe('one');
  });

  it('keep nothing for a collector that is gone', () => {
    expect(new WatchNotes([lease(0, 'gone', 10)], 'p').closedFor('two', now(at(1)))).toEqual(new Set());
  });

  it('of other projects, and of other versions, do not count', () => {
    const notes = [lease(0, 'one', 10), { at: at(0), content: { kind: 'other' } }, { at: at(0), content: null }];
    expect(new WatchNotes(notes, 'q').holderOf('c1', at(1))).toBeNull();
  });

  it('close a commit that failed for an hour, then for a day, and then for good', () => {
    const once = new WatchNotes([failure(0)], 'p');
    expect(once.failures.get('c1')).toEqual({ times: 1, again: at(60), message: 'no make' });
    expect(once.closedFor('one', now(at(59)))).toEqual(new Set(['c1']));
    expect(once.closedFor('one', now(at(60)))).toEqual(new Set());
    const twice = new WatchNotes([failure(0), failure(60)], 'p');
    expect(twice.failures.get('c1')?.again).toBe(at(60 + 24 * 60));
    const thrice = new WatchNotes([failure(0), failure(60), failure(60 + 24 * 60)], 'p');
    expect(thrice.failures.get('c1')).toMatchObject({ times: mostTries, again: null });
    expect(thrice.closedFor('one', now(at(1e6)))).toEqual(new Set(['c1']));
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
          notes.push(lease(minute, holder, ends ? minute : minute + 10));
          const holds = new WatchNotes(notes, 'p').holderOf('c1', at(minute)) === holder;
          expect(holds).toBe(!ends && (working === null || working === holder));
          if (ends) working = null;
          else if (holds) [working, until] = [holder, minute + 10];
        }
      }),
      { seed: 21, numRuns: 200 },
    );
  });
});
