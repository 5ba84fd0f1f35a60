import type { HistoryNote } from '@deadheat/history';
import { describe, expect, it } from 'vitest';
import { failedCommits, type FailureNote, mostTries } from '../src/collector.ts';

function at(minute: number): string {
  return new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString();
}

function failure(minute: number): HistoryNote {
  const content: FailureNote = {
    kind: 'failure',
    project: 'p',
    commit: 'c1',
    code: 'SETUP_FAILED',
    message: 'no make',
  };
  return { at: at(minute), content };
}

describe('failures of commits', () => {
  it('of other projects, and notes of another form, do not count', () => {
    const notes = [failure(0), { at: at(0), content: { kind: 'other' } }, { at: at(0), content: null }];
    expect(failedCommits(notes, 'q').size).toBe(0);
    expect(failedCommits(notes, 'p').size).toBe(1);
  });

  it('close a commit for an hour, then for a day, and then for good', () => {
    const notes = [failure(0), failure(60), failure(60 + 24 * 60)];
    expect(failedCommits(notes.slice(0, 1), 'p').get('c1')).toEqual({ times: 1, again: at(60), message: 'no make' });
    expect(failedCommits(notes.slice(0, 2), 'p').get('c1')?.again).toBe(at(60 + 24 * 60));
    expect(failedCommits(notes, 'p').get('c1')).toMatchObject({ times: mostTries, again: null });
  });
});
