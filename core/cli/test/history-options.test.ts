import { UsageError } from 'deadheat/settings';
import { describe, expect, it } from 'vitest';
import { parse as parseWords } from './support-arguments.ts';
import { parseCommits } from '../src/commands/push.ts';
import { explainError } from '../src/errors/explain-error.ts';

const parse = (...args: readonly string[]): unknown => parseWords(args);

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
    expect(refusal('push', 'recording')).toMatch(/push needs --to/);
    expect(refusal('pull', 'a1')).toMatch(/pull needs --from/);
    expect(refusal('history', '--recordings', 'parse')).toMatch(/no meaning/);
    expect(refusal('history', '--recordings', '--against', 'v1')).toMatch(/--against has no meaning/);
    expect(refusal('history', '--recordings', '--least-change', '1%')).toMatch(/--least-change has no meaning/);
    expect(refusal('history', '--least-change', '100')).toMatch(/--least-change must be/);
    expect(refusal('watch', '.')).toMatch(/watch needs --benchmarks/);
    expect(refusal('watch', '--benchmarks', 'x.yaml')).toMatch(/watch needs a repository/);
    expect(refusal('watch', '--canary', 'none')).toMatch(/watch needs a repository/);
    expect(refusal('watch', '.', '--benchmarks', 'x.yaml', '--hosts', '2')).toMatch(/do nothing without --fleet/);
    expect(refusal('history', '--of', 'speed')).toMatch(/--of must be ratio, time or value/);
  });

  it('never repeat a password that was typed', () => {
    const url = 'postgres://ci:geheim@db/x';
    for (const args of [
      ['push', 'r', '--too', url],
      ['push', 'r', '--commit', url],
      ['pull', 'a', 'b', url],
      ['history', '--last', url],
      ['histroy', '--from', url],
    ]) {
      expect(refusal(...args)).not.toContain('geheim');
    }
  });
});
