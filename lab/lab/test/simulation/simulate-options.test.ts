import { describe, expect, it } from 'vitest';
import { parseDimensions, parseDurations } from '../../src/simulation/command.ts';

describe('parseDimensions', () => {
  const parse = parseDimensions('--dimensions');

  it('reads runs x iterations', () => {
    expect(parse('10x100')).toEqual([{ runs: 10, iterations: 100 }]);
    expect(parse('2x2,20x3000')).toEqual([
      { runs: 2, iterations: 2 },
      { runs: 20, iterations: 3000 },
    ]);
  });

  it.each(['', '10', '10x', 'x10', '1x10', '10x1', '10x10,', '10X10', '10x10 ,2x2', '-2x3', '1e3x5'])(
    'refuses %o',
    (typed) => {
      expect(() => parse(typed)).toThrow(/--dimensions must be a list of runs x iterations/);
    },
  );
});

describe('parseDurations', () => {
  const parse = parseDurations('--durations');

  it('reads durations, with the warm-up of the paper where none is typed', () => {
    expect(parse('1h,8h,24h,30min/1min').map(({ totalNs, warmupNs }) => [totalNs / 60e9, warmupNs / 60e9])).toEqual([
      [60, 2],
      [480, 5],
      [1440, 10],
      [30, 1],
    ]);
  });

  it.each(['', '1h/', '1h/2min/3min', '4min', '1h/30min', 'x'])('refuses %o', (typed) => {
    expect(() => parse(typed)).toThrow(/--durations must be/);
  });
});
