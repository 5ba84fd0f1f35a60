import type { Execution } from '@deadheat/sync';
import { describe, expect, it } from 'vitest';
import { describeFailure } from '../../src/run/describe-failure.ts';

const execution = {
  startNs: 0,
  endNs: 1,
  userNs: 0,
  systemNs: 0,
  runDelayNs: 0,
  maxRssBytes: null,
  voluntarySwitches: 0,
  involuntarySwitches: 0,
  exitCode: 1,
  signal: null,
};
const messageOf = (stderr: string, together = true): string =>
  describeFailure({
    side: 'B',
    during: 'run 1',
    commandLine: 'prog',
    execution,
    strays: 0,
    limit: null,
    stderr,
    together,
  })?.message ?? '';

const hint =
  'hint: both sides run at the same time: give each its own with {side} or $DEADHEAT_SIDE, or use --method sequential';

describe('a failure', () => {
  it.each([
    'Error: listen EADDRINUSE: address already in use 127.0.0.1:8080',
    'bind: Address already in use',
    "[Errno 17] File exists: '/tmp/out'",
    'Error in sqlite3: database is locked',
    'gzip: same.txt.gz already exists;\tnot overwritten',
    "fatal: Unable to create '/src/.git/index.lock': File exists.",
    'sh: 1: ./made: Text file busy',
    'Could not open lock file /var/lib/dpkg/lock',
    'FATAL: lock file "postmaster.pid" already exists',
    'flock: Resource temporarily unavailable',
  ])('whose words say that something is taken hints at the other side: %s', (stderr) => {
    const message = messageOf(stderr);
    expect(message.startsWith(`B exited with status 1 in run 1: prog: ${stderr}`)).toBe(true);
    expect(message.endsWith(`\n  ${hint}`)).toBe(true);
    expect(messageOf(stderr, false)).not.toContain('hint');
  });

  it.each(['', 'no such file: clock.txt', 'blocked by policy', 'unlocking failed', 'index out of range'])(
    'with other words does not: %s',
    (stderr) => expect(messageOf(stderr)).not.toContain('hint'),
  );
});

const failed = { exitCode: 1, signal: null } as Execution;
function jmhMessageOf(stderr: string): string {
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
    expect(jmhMessageOf(lock)).toMatch(
      /ERROR: Unable.*\nBoth sides are .* java -Djmh\.ignoreLock=true in both commands/,
    );
    expect(jmhMessageOf('out of memory')).toBe('B exited with status 1 in run 1: java -jar b.jar: out of memory');
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
    expect(jmhMessageOf(stderr)).toBe(`B exited with status 1 in run 1: java -jar b.jar: ${words}`);
  });
});
