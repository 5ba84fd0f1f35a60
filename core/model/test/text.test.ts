import { describe, expect, it } from 'vitest';
import { matchesStars } from '../src/text.ts';

describe('a pattern with stars', () => {
  it('is the text itself without any', () => {
    expect(matchesStars('a.log', 'a.log')).toBe(true);
    expect(matchesStars('a.log', 'axlog')).toBe(false);
    expect(matchesStars('', '')).toBe(true);
  });

  it('finds any text in the place of a star, lines and none included', () => {
    for (const text of ['ab', 'a-b', 'a\n-b', 'abab']) expect(matchesStars('a*b', text), text).toBe(true);
    for (const text of ['a', 'ba', 'abc', 'xab']) expect(matchesStars('a*b', text), text).toBe(false);
    expect(matchesStars('*', '')).toBe(true);
    // Beginning and end are not the same character.
    expect(matchesStars('a*a', 'a')).toBe(false);
  });

  it('finds its parts in their order', () => {
    expect(matchesStars('C*.*1.l*', 'CPU2017.001.log')).toBe(true);
    expect(matchesStars('*b*a*', 'ab')).toBe(false);
    expect(matchesStars('*ab*b', 'abb')).toBe(true);
    expect(matchesStars('*ab*b', 'ab')).toBe(false);
  });

  it('does not try all ways of dividing a text', () => {
    // A regular expression of these 40 stars tries more ways than can be counted.
    expect(matchesStars(`${'*a'.repeat(40)}*b`, 'a'.repeat(10_000))).toBe(false);
  });
});
