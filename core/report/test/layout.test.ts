import { describe, expect, it } from 'vitest';
import { alignCells } from '../src/text/layout.ts';

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
