import { describe, expect, it } from 'vitest';
import type { Study, StudyFigure } from '../../src/study/study.ts';
import { renderStudyFiles } from '../../src/study/render-study-files.ts';

const kinds = ['boxes', 'bars', 'intervals', 'lines', 'points', 'densities', 'ranges', 'areas'] as const;

function figure(kind: StudyFigure['kind']): StudyFigure {
  return {
    name: `figure-${kind}`,
    title: `Of <${kind}>`,
    source: 'a paper, figure 1',
    kind,
    value: 'width',
    unit: 'share',
    place: ['lines', 'points', 'ranges', 'areas'].includes(kind) ? 'rate' : null,
    series: [
      {
        name: 'one & all',
        x: [0, 0.5, 1],
        values: [0.01, 0.02, 0.09],
        ...(kind === 'ranges' ? { highs: [0.1, 0.1, 0.1] } : {}),
      },
      {
        name: 'two',
        x: [0, 0.5, 1],
        values: [0.03, 0.03, 0.03],
        ...(kind === 'ranges' ? { highs: [0.1, 0.2, 0.1] } : {}),
      },
    ],
  };
}

const study: Study = {
  kind: 'accuracy',
  tables: [
    {
      title: 'A table',
      source: 'a paper, table 1',
      columns: [
        { name: 'benchmark', unit: 'text' },
        { name: 'width', unit: 'share' },
      ],
      rows: [['<sort>', 0.015]],
      notes: ['a note'],
    },
  ],
  figures: kinds.map((kind) => figure(kind)),
};

describe('the files of a study', () => {
  const files = new Map(renderStudyFiles(study, { recordings: ['r & s'] }).map(({ name, content }) => [name, content]));

  it('are a page, figures with their data, and tables', () => {
    expect([...files.keys()]).toEqual([
      'study.html',
      ...kinds.flatMap((kind) => [`figure-${kind}.svg`, `figure-${kind}.csv`]),
      'table-1.csv',
    ]);
    expect(files.get('table-1.csv')).toBe('table,benchmark,width [share]\nA table,<sort>,0.015\n');
    expect(files.get('figure-lines.csv')!.split('\n').slice(0, 3)).toEqual([
      'series,rate,width [share]',
      'one & all,0,0.01',
      'one & all,0.5,0.02',
    ]);
  });

  it('name every series in its picture, in finite places and as text that is no markup', () => {
    for (const kind of kinds) {
      const svg = files.get(`figure-${kind}.svg`)!;
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
      expect(svg).toContain('one &amp; all');
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    }
    const page = files.get('study.html')!;
    expect(page).toContain('Of &lt;boxes&gt;');
    expect(page).toContain('&lt;sort&gt;');
    expect(page).toContain('1.50 %');
    expect(page).toContain('r &amp; s');
    expect(page.match(/<svg/g)).toHaveLength(kinds.length);
  });

  it('write both ends of ranges, and the places of vertical lines', () => {
    expect(files.get('figure-ranges.csv')!.split('\n').slice(0, 2)).toEqual([
      'series,rate,low width [share],high width [share]',
      'one & all,0,0.01,0.1',
    ]);
    const marked = { ...figure('lines'), marks: [{ name: 'best', x: 0.4 }] };
    const [, svg, csv] = renderStudyFiles({ ...study, figures: [marked] }, { recordings: ['r'] });
    expect(csv!.content).toContain('best,0.4,\n');
    expect(svg!.content).toContain('>best</text>');
  });

  it('draw many distributions in rows, with the ends of long names', () => {
    const long = 'a-project-with-a-long-name#of.a.Benchmark.that.has=parameters-';
    const series = Array.from({ length: 9 }, (_, k) => ({ name: `${long}${k}`, x: null, values: [k, k + 1, k + 3] }));
    const [, svg] = renderStudyFiles(
      { ...study, figures: [{ ...figure('densities'), series }] },
      { recordings: ['r'] },
    );
    for (let k = 0; k < 9; k++) expect(svg!.content).toMatch(new RegExp(`…[^<]*parameters-${k}</text>`));
  });

  it('end distributions within the picture, also where one is much wider than the others', () => {
    const narrow = { name: 'narrow', x: null, values: Array.from({ length: 40 }, (_, k) => 10 + 0.001 * (k % 7)) };
    const wide = { name: 'wide', x: null, values: Array.from({ length: 40 }, (_, k) => 10 + 0.4 * ((k % 5) - 2)) };
    const drawn = { ...figure('densities'), unit: 'number' as const, series: [narrow, wide] };
    const svg = renderStudyFiles({ ...study, figures: [drawn] }, { recordings: ['r'] })[1]!.content;
    for (const [, d = ''] of svg.matchAll(/class="density [^"]*" d="([^"]*)"/g)) {
      // Each point stands by its distance from the one before: from the base line up, along the curve, and back to it.
      const steps = [...d.matchAll(/[Ml](-?[\d.]+)[, ]?(-?[\d.]+)/g)].map(([, , y]) => Number(y));
      const ends = [steps[1] ?? 0, steps.at(-1) ?? 0];
      const [base = 0, ...rises] = steps;
      let [y, top] = [base, base];
      for (const rise of rises) top = Math.min(top, (y += rise));
      expect(steps.length).toBeGreaterThan(100);
      for (const end of ends) expect(Math.abs(end)).toBeLessThan(0.05 * (base - top));
    }
  });

  it('draw logarithmic places at equal distances of equal ratios', () => {
    const series = [{ name: 'one', x: [1, 10, 100], values: [0.1, 0.2, 0.3] }];
    const drawn = { ...figure('lines'), isLogarithmic: true, series };
    const svg = renderStudyFiles({ ...study, figures: [drawn] }, { recordings: ['r'] })[1]!.content;
    const dots = /class="dots" d="M([\d.]+),[-\d.]+h0m([\d.]+)[-,][\d.]+h0m([\d.]+)/.exec(svg)!;
    expect(Number(dots[2])).toBeCloseTo(Number(dots[3]), 0);
  });

  it('name a few of many recordings', () => {
    const names = Array.from({ length: 40 }, (_, k) => `recording-${k}.json`);
    const page = renderStudyFiles(study, { recordings: names })[0]!.content;
    expect(page).toContain('recording-3.json, and 36 more');
    expect(page).not.toContain('recording-4.json');
  });
});
