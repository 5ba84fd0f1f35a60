import type { Execution } from '@deadheat/sync';
import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../src/run/describe-failure.ts';

const failed = { exitCode: 1, signal: null } as Execution;
function messageOf(stderr: string): string {
  const facts = {
    side: 'B',
    during: 'run 1',
    commandLine: 'java -jar b.jar',
    execution: failed,
    strays: 0,
    limit: null,
  } as const;
  return describeFailure({ ...facts, stderr })?.message ?? '';
}

describe('an execution that failed', () => {
  it('for the lock of JMH is told what lets two of it be executed at the same time', () => {
    const lock =
      'ERROR: Unable to acquire the JMH lock (/tmp/jmh.lock): already taken by another JMH instance, exiting.\n\tat X';
    expect(messageOf(lock)).toMatch(
      /stderr: ERROR: Unable.*\n.*\nBoth sides are .* java -Djmh\.ignoreLock=true in both commands/,
    );
    expect(messageOf('out of memory')).toBe(
      'B exited with status 1 in run 1: java -jar b.jar\n  stderr: out of memory',
    );
  });
});
