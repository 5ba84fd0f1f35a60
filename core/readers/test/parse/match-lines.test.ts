import { describe, expect, it } from 'vitest';
import { ParserError } from '@deadheat/readers';
import { matchLines, type MatchedLine, type PatternLimits } from '../../dist/parse/match-lines.js';

async function match(
  pattern: string,
  parts: readonly string[],
  limits: Partial<PatternLimits> = {},
): Promise<readonly MatchedLine[]> {
  const found: MatchedLine[] = [];
  const all: PatternLimits = { timeMs: 60_000, partMs: 0, mostMs: 60_000, memoryMiB: 256, ...limits };
  for await (const line of matchLines(pattern, parts, all)) found.push(line);
  return found;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ParserError) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('the lines that a pattern matches', () => {
  it('are counted over all parts', async () => {
    expect(await match('took (?<time>\\d+)', ['took 1\nnone\n\ntook 2\n', '\n', 'took 3'])).toEqual([
      { line: 1, groups: { time: '1' } },
      { line: 4, groups: { time: '2' } },
      { line: 6, groups: { time: '3' } },
    ]);
  });

  it('are none of an empty text, and none of a pattern without groups', async () => {
    expect(await match('(?<time>.*)', [])).toEqual([]);
    expect(await match('a', ['a\n'])).toEqual([]);
  });

  it('are found again after a pattern that was given up', async () => {
    const evil = '^(?<time>(a|a)*)b';
    const line = `${'a'.repeat(60)}\n`;
    expect(await codeOf(match(evil, [line], { timeMs: 50 }))).toBe('PARSER_TIMEOUT');
    expect(await codeOf(match(evil, ['ab\n', line], { timeMs: 50, partMs: 10, mostMs: 60 }))).toBe('PARSER_TIMEOUT');
    expect(await match(evil, ['ab\n'])).toEqual([{ line: 1, groups: { time: 'a' } }]);
  });

  it('are not looked for by what is no regular expression', async () => {
    expect(await codeOf(match('(', ['a\n']))).toBe('PARSER_FAILED');
    expect(await match('(?<time>a)', ['a\n'])).toHaveLength(1);
  });
});
