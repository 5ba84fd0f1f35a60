import { describe, expect, it } from 'vitest';
import { alignCells } from '../src/text/layout.ts';
import { formatInterval } from '../src/text/numbers.ts';

describe('a table as text', () => {
  it('has its columns as wide as their widest cells, with words at the left and figures at the right', () => {
    const rows = [
      ['side', 'mean'],
      ['A', '9 ms'],
      ['B', '10.5 ms'],
    ];
    expect(alignCells(rows)).toEqual(['side  mean', 'A     9 ms', 'B     10.5 ms']);
    expect(alignCells(rows, (column) => column > 0)).toEqual(['side     mean', 'A        9 ms', 'B     10.5 ms']);
  });

  it('takes rows of different lengths, and none', () => {
    expect(alignCells([['a'], ['bb', 'c']])).toEqual(['a', 'bb  c']);
    expect(alignCells([])).toEqual([]);
  });
});

describe('an interval as text', () => {
  it('ends where digits say nothing any longer', () => {
    expect(formatInterval({ estimate: 6.21, low: 0.001, high: 248_306_975 })).toEqual({
      estimate: '6.2x',
      low: '-99.9 %',
      high: 'over 100 000x',
    });
    expect(formatInterval({ estimate: 6.21, low: 0.5, high: 1e12 }).high).toBe('no bound');
    expect(formatInterval({ estimate: 6.21, low: 0.5, high: 99_999 }).high).toBe('99 999x');
  });
});
