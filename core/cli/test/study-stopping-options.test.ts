import { describe, expect, it } from 'vitest';
import { parse as parseWords } from './support-arguments.ts';
import { UsageError } from 'deadheat/settings';

const parse = (words: readonly string[]) => parseWords(words);

const refusal = (...words: readonly string[]): unknown => {
  try {
    parse(['study', ...words]);
  } catch (error) {
    return error;
  }
  return null;
};

describe('deadheat study stopping', () => {
  it('is taken with its own options', () => {
    expect(() =>
      parse(['study', 'stopping', 'a', 'b', '--like', 'jmh-reconfigure', '--lift-caps', '1.5', '--seed', 'x']),
    ).not.toThrow();
  });

  it.each([
    [/--like/, ['stopping', 'a', '--like', 'java']],
    [/--lift-caps must be a number of at least 1, got '0.5'/, ['stopping', 'a', '--lift-caps', '0.5']],
    [/--lift-caps must be a number of at least 1, got 'x'/, ['stopping', 'a', '--lift-caps', 'x']],
    [/--like is about stopping early, not about mds/, ['mds', 'a', '--like', 'paper']],
    [/--seed is about measuring/, ['overlap', 'a', '--seed', 'x']],
    [/--runs is about measuring/, ['stopping', 'a', '--runs', '5']],
    [/there is no --run for the study stopping/, ['stopping', '--run']],
    [/study stopping needs recordings/, ['stopping']],
    [/--power is about detectable slowdowns, not about stopping/, ['stopping', 'a', '--power', '80%']],
  ])('refuses %s', (message, words) => {
    const error = refusal(...words);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(message);
  });
});
