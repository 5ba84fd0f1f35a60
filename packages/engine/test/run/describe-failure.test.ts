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
    expect(messageOf(lock)).toMatch(/ERROR: Unable.*\nBoth sides are .* java -Djmh\.ignoreLock=true in both commands/);
    expect(messageOf('out of memory')).toBe('B exited with status 1 in run 1: java -jar b.jar: out of memory');
  });

  it.each([
    {
      of: 'Node',
      stderr:
        "node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module 'x'\n    at f (node:internal:1:2)\n" +
        "    at g (/a/b.js:3:4) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v20.20.2\n",
      words: "Error: Cannot find module 'x'",
    },
    {
      of: 'Python',
      stderr:
        'Traceback (most recent call last):\n  File "/a/b.py", line 1, in <module>\n    import x\nModuleNotFoundError: No module named \'x\'\n',
      words: "ModuleNotFoundError: No module named 'x'",
    },
    {
      of: 'Java',
      stderr: 'Exception in thread "main" java.lang.IllegalStateException: full\n\tat A.main(A.java:3)\n\t... 3 more\n',
      words: 'Exception in thread "main" java.lang.IllegalStateException: full',
    },
    { of: 'a shell script', stderr: 'step 1\nno space left\n', words: 'no space left' },
  ])('is told in one line, with the message of $of and without its stack', ({ stderr, words }) => {
    expect(messageOf(stderr)).toBe(`B exited with status 1 in run 1: java -jar b.jar: ${words}`);
  });
});
