import { describe, expect, it } from 'vitest';
import { foldCommandWords, splitCommandWords } from '../src/command/fold-values.ts';
import { parse as parseWords } from './support-arguments.ts';
import { UsageError } from 'deadheat/settings';

async function refusal(...args: readonly string[]): Promise<string> {
  try {
    const invocation = parseWords(args);
    if (invocation.kind === 'subcommand') await invocation.act(process);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new TypeError(`accepted: ${args.join(' ')}`);
}

describe('words behind --', () => {
  it('are told from those before, whatever they are', () => {
    const split = (...args: readonly string[]): unknown =>
      splitCommandWords(foldCommandWords(args).filter((word) => word !== '--'));
    expect(split('git', 'main', '--', 'node', 'my bench.js', '--', '-x')).toEqual({
      before: ['git', 'main'],
      commandLine: "node 'my bench.js' -- -x",
    });
    expect(split('git', '--', 'node bench.js | cat')).toEqual({ before: ['git'], commandLine: 'node bench.js | cat' });
    expect(split('git', 'main')).toEqual({ before: ['git', 'main'], commandLine: null });
    expect(foldCommandWords(['run', '--', 'x'])).toEqual(['run', '--', 'x']);
  });
});

describe('git, npm and bisect', () => {
  it('take the options of a comparison', () => {
    const common = [
      '--quick',
      '--margin',
      '1%',
      '--fail-on',
      'slower',
      '-N',
      '--method',
      'sequential',
      '--export',
      'json:x',
    ];
    for (const args of [
      ['git', 'main..topic', '-s', 'make', '--bench-path', 'a', '--bench-path', 'b', '--bench-from', 'base', '--exact'],
      ['git', '--export', 'markdown:x', '-L', 'n', '1,2', '--harness', '--iterations', '9'],
      ['npm', 'a@1', 'b@2', '--fresh', '-s', 'make', '--runs', '3'],
      ['bisect', 'a', 'b', '--build', 'make', '--max-time', '5m'],
    ]) {
      const own = args.includes('--runs') ? common.filter((word) => word !== '--quick') : common;
      const parsed = parseWords([...args, ...own, '--', 'x', '{n}']);
      expect([args, parsed.kind]).toEqual([args, 'subcommand']);
    }
  });

  it('refuse what does nothing, and what is missing', async () => {
    for (const [args, why] of [
      [['git', '--bench-from', 'head', '--', 'true'], /--bench-path PATH/],
      [['git', '--bench-from', 'own', '--bench-path', 'x', '--', 'true'], /--bench-from own shares none/],
      [['git', 'a', 'b', '--', 'true'], /too many arguments for git/],
      [['git', '--filter', 'x*', '--', 'true'], /--filter and a command behind -- exclude each other: it chooses/],
      [['git', 'main', '--harness'], /git needs a command, and there is no deadheat.yaml/],
      [['git', '--', ''], /command A is empty/],
      [['git', '--resume', 'x', '--', 'true'], /unknown option --resume/],
      [['bisect', 'main', '--', 'true'], /bisect needs two commits/],
      [['bisect', 'main~1', 'main'], /bisect needs a command/],
      [['bisect', 'main~1', 'main', '--runs', '3', '--', 'true'], /unknown option --runs/],
      [['bisect', 'main~1', 'main', '--no-summary', '--', 'true'], /unknown option --no-summary/],
      [['bisect', 'main~1', 'main', '--export', 'sides-csv:x', '--', 'true'], /--export must be json, not 'sides-csv'/],
      [['npm', 'a@1', '--', 'true'], /npm needs two versions of a package/],
      [['npm', 'a@1.0.0', 'a@2.0.0'], /npm needs a command/],
    ] as const) {
      expect([args, await refusal(...args)]).toEqual([args, expect.stringMatching(why)]);
    }
  });
});

describe('parts of an experiment', () => {
  it('are refused where they cannot be read or do nothing', async () => {
    for (const [args, why] of [
      [['run', '--part', '3/2'], /from 1\/N to N\/N/],
      [['run', '--part', '0/2'], /from 1\/N to N\/N/],
      [['run', '--part', '1'], /from 1\/N to N\/N/],
      [['run', '--host-name', 'x'], /--host-name does nothing without --part/],
      [['run', '--experiment-id', 'x'], /--experiment-id does nothing without --part/],
      [['run', '--part', '1/2', '--dry-run'], /--part does nothing with --dry-run/],
      [
        ['run', '--part', '1/2', '--resume', 'x'],
        /--part does nothing with --resume, which finishes an experiment as it was planned/,
      ],
      [['ci'], /ci needs a subcommand/],
      [['ci', 'matirx'], /ci has no subcommand matirx/],
      [['ci', 'matrix', '--jobs', '2', '--format', 'jenkins'], /--format/],
      [['ci', 'merge'], /recordings/],
    ] as const) {
      expect(await refusal(...args)).toMatch(why);
    }
  });
});
