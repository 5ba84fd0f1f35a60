import { UsageError } from 'deadheat/settings';
import { describe, expect, it } from 'vitest';
import { parse as parseWords } from '../../../core/cli/test/support-arguments.ts';
import { parseCommits } from '../../history/src/command/push.ts';
import { explainError } from '../../../core/cli/src/errors/explain-error.ts';

function parse(...args: readonly string[]): unknown {
  return parseWords(args);
}

function refusal(...args: readonly string[]): string {
  try {
    parse(...args);
  } catch (error) {
    if (error instanceof UsageError) return explainError(error).message;
    throw error;
  }
  throw new TypeError(`accepted: ${args.join(' ')}`);
}

describe('commits on the command line', () => {
  it('are named for either side or both', () => {
    expect(parseCommits('--commit')('A=v1.2,B=HEAD')).toEqual({ A: 'v1.2', B: 'HEAD' });
    expect(parseCommits('--commit')('B=a=b')).toEqual({ B: 'a=b' });
  });

  it.each(['', 'A', 'A=', 'C=x', 'A=x,', 'A=x,A=y', 'a=x'])('are refused as %j', (typed) => {
    expect(() => parseCommits('--commit')(typed)).toThrow(UsageError);
  });
});

describe('subcommands of a history', () => {
  it('say what is missing', () => {
    expect(refusal('history', 'push', 'recording')).toMatch(/push needs --to/);
    expect(refusal('history', 'pull', 'a1')).toMatch(/pull needs --from/);
    expect(refusal('history', 'show', '--recordings', 'parse')).toMatch(/does nothing with --recordings/);
    expect(refusal('history', 'show', '--recordings', '--against', 'v1')).toMatch(
      /--against does nothing with --recordings/,
    );
    expect(refusal('history', 'show', '--recordings', '--least-change', '1%')).toMatch(
      /--least-change does nothing with --recordings/,
    );
    expect(refusal('history', 'show', '--least-change', '100')).toMatch(/--least-change must be/);
    expect(refusal('history', 'watch', '.', '--hosts', '2')).toMatch(/--hosts does nothing without --on/);
    expect(refusal('history', 'watch', '--benchmarks', 'x.yaml')).toMatch(
      /--benchmarks does nothing without an argument/,
    );
    expect(refusal('history', 'show', '--of', 'speed')).toMatch(/--of must be ratio, pairs, time or value/);
  });

  it('watch a repository and its benchmarks, or the canary alone', async () => {
    const terminal = { stdout: process.stdout, stderr: process.stderr, env: {} };
    async function act(...args: readonly string[]): Promise<unknown> {
      const typed = parseWords(args);
      return typed.kind === 'subcommand' ? typed.act(terminal) : null;
    }
    await expect(act('history', 'watch', '.')).rejects.toThrow('history watch needs --benchmarks');
    await expect(act('history', 'watch', '--canary', 'none')).rejects.toThrow('history watch needs a repository');
  });

  it('never repeat a password that was typed', () => {
    const url = 'postgres://ci:geheim@db/x';
    for (const args of [
      ['history', 'push', 'r', '--too', url],
      ['history', 'push', 'r', '--commit', url],
      ['history', 'pull', 'a', 'b', url],
      ['history', 'show', '--last', url],
      ['histroy', '--from', url],
    ]) {
      expect(refusal(...args)).not.toContain('geheim');
    }
  });
});
