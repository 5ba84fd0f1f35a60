import { describe, expect, it } from 'vitest';
import { parseDimensions } from '../src/commands/simulate.ts';

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
