import { describe, expect, it } from 'vitest';
import { explainError } from '../src/errors/explain-error.ts';
import { draftOf } from './support-arguments.ts';

/** Names of both sides of each benchmark. */
function pairs(...args: readonly string[]): readonly (readonly [string, string])[] {
  return draftOf(args).benchmarks.map(({ commands: { A, B } }) => [A.name, B.name]);
}

describe('several commands', () => {
  it('are compared with the first, a benchmark each', () => {
    expect(pairs('a', 'b', 'c', 'd')).toEqual([
      ['a', 'b'],
      ['a', 'c'],
      ['a', 'd'],
    ]);
  });

  it('are compared with the one that the reference numbers, or with a further one', () => {
    expect(pairs('--reference', '3', 'a', 'b', 'c')).toEqual([
      ['c', 'a'],
      ['c', 'b'],
    ]);
    expect(pairs('--reference', 'old', 'a', 'b')).toEqual([
      ['old', 'a'],
      ['old', 'b'],
    ]);
  });

  it('have names and hooks in their own order, whichever is the reference', () => {
    const words = ['--reference', '2', '-n', 'x', '-n', 'y', '-n', 'z', '-p', '1', '-p', '2', '-p', '3', '-C', 'rm f'];
    const { benchmarks } = draftOf([...words, 'a', 'b', 'c']);
    expect(benchmarks.map(({ name, hooks: { A, B } }) => [name, A.prepare, B.prepare, A.conclude, B.conclude])).toEqual(
      [
        ['y vs x', '2', '1', 'rm f', 'rm f'],
        ['y vs z', '2', '3', 'rm f', 'rm f'],
      ],
    );
    // Of two commands the names trade places with them.
    expect(pairs('--reference', '2', '-n', 'x', '-n', 'y', 'a', 'b')).toEqual([['y', 'x']]);
  });

  it('are multiplied with parameters', () => {
    expect(pairs('-L', 'n', '1,2', 'a {n}', 'b {n}', 'c {n}')).toEqual([
      ['a 1', 'b 1'],
      ['a 1', 'c 1'],
      ['a 2', 'b 2'],
      ['a 2', 'c 2'],
    ]);
  });

  it('say what quotes are for where a word is no command', () => {
    let said = '';
    try {
      draftOf(['sleep', '1', 'sleep', '2'], {
        find: (word) => (/^\d/.test(word) ? { kind: 'missing' } : { kind: 'found', path: `/bin/${word}` }),
      });
    } catch (error) {
      said = explainError(error).message;
    }
    expect(said).toContain('command 2: 1 was not found');
    expect(said).toContain('A command and its arguments are one word, in quotes');
  });
});
