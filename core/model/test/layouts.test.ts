import { describe, expect, it } from 'vitest';
import { inLayout, layoutOfRun, type Layout } from '../src/layouts.ts';

function layout(side: string, number: number): Layout {
  return {
    seed: `${side}${number}`,
    root: `/kept/${side}-${number}/tree`,
    tools: `/kept/${side}-${number}/it's`,
    code: null,
  };
}

function three(side: string): Layout[] {
  return [1, 2, 3].map((number) => layout(side, number));
}

const benchmark = {
  layouts: { A: three('a'), B: three('b') },
  commands: { A: ['/kept/a-1/tree/run', '/kept/a-10/tree'], B: ['/kept/b-1/tree/run'] },
  hooks: { A: { build: null, setup: 'x' }, B: { build: 'make', setup: 'x' } },
};

describe('layouts', () => {
  it('are used in turn, each for a block of two runs', () => {
    const used = Array.from({ length: 14 }, (_, run) => layoutOfRun(benchmark, run));
    expect(used).toEqual([0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2, 0, 0]);
    expect(layoutOfRun({}, 3)).toBeNull();
  });

  it('put the programs of their own folders in the place of the first ones, and nothing else', () => {
    const { commands, layouts } = inLayout(benchmark, 2);
    expect(commands).toEqual({ A: ['/kept/a-3/tree/run', '/kept/a-10/tree'], B: ['/kept/b-3/tree/run'] });
    expect(layouts).toBe(benchmark.layouts);
    expect(inLayout(benchmark, 0).commands).toEqual(benchmark.commands);
    expect(() => inLayout(benchmark, 3)).toThrow(RangeError);
  });

  it('give a hook that builds their wrappers and their seed, and leave the others alone', () => {
    const { hooks } = inLayout(benchmark, 1);
    expect(hooks.A).toEqual(benchmark.hooks.A);
    expect(hooks.B).toEqual({
      build: `export PATH='/kept/b-2/it'\\''s/bin':"$PATH" DEADHEAT_LAYOUT_SEED='b2'\nmake`,
      setup: 'x',
    });
  });
});
