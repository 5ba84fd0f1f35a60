import { describe, expect, it } from 'vitest';
import { describeUnmatched, listBenchmarks } from '../src/index.ts';

const sum = (length: number) => ({ name: 'sum', params: { length: String(length) } });
const named = (name: string) => ({ name, params: {} });

describe('two lists of benchmarks that have nothing in common', () => {
  it('are both told, with the one that is nearest by its parameters', () => {
    expect(describeUnmatched({ A: [sum(1000)], B: [sum(77), sum(2000)] })).toBe(
      "A holds 'sum' length=1000; B holds 'sum' length=77, 'sum' length=2000 " +
        "('sum' length=1000 of A is nearest to 'sum' length=2000 of B)",
    );
  });

  it('are told with the one that is nearest by its name', () => {
    expect(describeUnmatched({ A: [named('parse')], B: [named('render'), named('prase')] })).toBe(
      "A holds 'parse'; B holds 'render', 'prase' ('parse' of A is nearest to 'prase' of B)",
    );
  });

  it('are told without a nearest one where nothing is near', () => {
    expect(describeUnmatched({ A: [named('parse')], B: [named('render')] })).toBe("A holds 'parse'; B holds 'render'");
  });

  it('are cut after five', () => {
    expect(listBenchmarks(Array.from({ length: 7 }, (_, length) => sum(length)))).toMatch(/length=4 and 2 more$/);
    expect(listBenchmarks([])).toBe('nothing');
  });
});
