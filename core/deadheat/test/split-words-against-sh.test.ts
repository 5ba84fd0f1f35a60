import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitWords } from '../src/draft/split-words.ts';
import { UsageError } from '../src/errors/usage-error.ts';

const characters = ['a', 'b', ' ', ' ', "'", '"', '\\', '$', '=', '~', '#', '{', ',', '}', '\t', '%'];

/** The words that the shell of this machine makes of a line, behind a first word of its own. */
function wordsOfSh(line: string): readonly string[] {
  const script = `exec printf '%s\\0' ${line}`;
  const out = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return out.split('\0').slice(0, -1);
}

it('splits every plain command line into the words that sh sees', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 14 }), (parts) => {
      // "x" first: an assignment is one only at the start, and printf without a word prints an empty one.
      const line = `x ${parts.join('')}`;
      try {
        const { words, plain } = splitWords(line);
        if (!plain || line.endsWith('\\')) return;
        compared += 1;
        expect(words).toEqual(wordsOfSh(line));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
      }
    }),
    { seed: 20_26, numRuns: 400 },
  );
  expect(compared).toBeGreaterThan(50);
});
