import { describe, expect, it } from 'vitest';
import { renderHistogram, renderSeries, renderSparkline } from '../src/index.ts';
import type { SeriesDot } from '../src/plot/series-picture.ts';

function dot(value: number, changes: Partial<SeriesDot> = {}): SeriesDot {
  return {
    label: '2026-03-01',
    value,
    interval: [value - 0.01, value + 0.01],
    verdict: 'dead-heat',
    level: 1,
    ...changes,
  };
}

describe('a series over commits', () => {
  it('has a mark for every comparison in the class of its verdict, every level and every change', () => {
    const dots = [
      dot(1),
      dot(1.001),
      dot(0.999),
      ...[1.05, 1.051, 1.049].map((value) => dot(value, { verdict: 'slower', level: 1.05 })),
    ];
    const svg = renderSeries({ quantity: 'ratio', dots, changes: [3] });
    expect(svg).toMatch(
      /^<svg [^>]*role="img"[^>]*aria-label="Ratio of B to A [^"]*6 comparisons [^"]*changes of level: 1"/,
    );

    function dotsOf(verdict: string): number {
      return (
        new RegExp(`class="points few ${verdict}"><path class="range"[^>]*/><path class="dots" d="([^"]*)"`)
          .exec(svg)?.[1]
          ?.match(/h0/g) ?? []
      ).length;
    }

    expect([dotsOf('dead-heat'), dotsOf('slower'), dotsOf('faster')]).toEqual([3, 3, 0]);
    expect(svg.match(/class="change"/g)).toHaveLength(1);
    expect(/class="level ratio" d="([^"]*)"/.exec(svg)?.[1]?.match(/M/g)).toHaveLength(2);
    expect(svg).toContain('class="zero"');
  });

  it('has dots in the colours of groups where these are given, and a frame for the script', () => {
    const dots = [dot(1, { group: 0 }), dot(1.01, { group: 1 }), dot(0.99, { group: 7 })];
    const svg = renderSeries({ quantity: 'ratio', dots, changes: [] });
    expect([...svg.matchAll(/class="points few (\w+)"/g)].map(([, color]) => color)).toEqual(['r0', 'r1']);
    expect(/data-frame="([^"]*)"/.exec(svg)?.[1]?.split(' ')).toHaveLength(8);
  });

  it('shows times in their unit, without intervals that they do not have', () => {
    const dots = [3e6, 3.1e6, 2.9e6].map((value) => dot(value, { interval: null, level: 3e6 }));
    const svg = renderSeries({ quantity: 'time', dots, changes: [] });
    expect(svg).toContain('B, ms');
    expect(svg).not.toContain('class="zero"');
  });

  it('escapes what the labels say, draws one comparison, and none', () => {
    const svg = renderSeries({ quantity: 'ratio', dots: [dot(1, { label: '<script>' })], changes: [] });
    expect(svg).toContain('&lt;script&gt;');
    expect(svg).not.toContain('<script>');
    expect(renderSeries({ quantity: 'ratio', dots: [], changes: [] })).toContain('0 comparisons');
  });
});

describe('a histogram of ratios', () => {
  it('counts every ratio once, in the class of its verdict', () => {
    const svg = renderHistogram([
      { ratio: 1.1, verdict: 'slower' },
      { ratio: 1.1, verdict: 'slower' },
      { ratio: 0.9, verdict: 'faster' },
      { ratio: 1, verdict: 'undecided' },
    ]);

    function barsOf(verdict: string): number {
      return new RegExp(`class="span ${verdict}" d="([^"]*)"`).exec(svg)?.[1]?.match(/M/g)?.length ?? 0;
    }

    expect(['slower', 'faster', 'undecided', 'dead-heat'].map(barsOf)).toEqual([1, 1, 1, 0]);
    expect(svg).toContain('4 ratios as differences in percent, 2 slower, 1 undecided, 1 faster, 0 dead-heat');
    expect(svg).not.toContain('NaN');
    expect(renderHistogram([{ ratio: 1, verdict: 'undecided' }])).not.toContain('NaN');
  });
});

describe('a series as small as a word', () => {
  it('has a line, a mark for every change, and a dot at the end', () => {
    const svg = renderSparkline({ values: [1, 1, 2, 2], changes: [2] });
    expect(svg).toMatch(/class="change" d="M60,0V24"/);
    expect(svg).toMatch(/class="line" d="M3,/);
    expect(svg.match(/h0/g)).toHaveLength(1);
    for (const values of [[], [1]]) expect(renderSparkline({ values, changes: [] })).not.toContain('NaN');
  });
});
