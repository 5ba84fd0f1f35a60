import type { Study, StudyFigure } from '@deadheat/analysis';
import { describe, expect, it } from 'vitest';
import { renderStudyFiles } from '../src/study/render-study-files.ts';

const figure = (kind: StudyFigure['kind']): StudyFigure => ({
  name: `figure-${kind}`,
  title: `Of <${kind}>`,
  source: 'a paper, figure 1',
  kind,
  value: 'width',
  unit: 'share',
  place: kind === 'lines' || kind === 'points' ? 'rate' : null,
  series: [
    { name: 'one & all', x: [0, 0.5, 1], values: [0.01, 0.02, 0.09] },
    { name: 'two', x: [0, 0.5, 1], values: [0.03, 0.03, 0.03] },
  ],
});

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
  figures: (['boxes', 'bars', 'lines', 'points', 'densities'] as const).map((kind) => figure(kind)),
};

describe('the files of a study', () => {
  const files = new Map(renderStudyFiles(study, { recordings: ['r & s'] }).map(({ name, content }) => [name, content]));

  it('are a page, figures with their data, and tables', () => {
    expect([...files.keys()]).toEqual([
      'study.html',
      ...['boxes', 'bars', 'lines', 'points', 'densities'].flatMap((kind) => [
        `figure-${kind}.svg`,
        `figure-${kind}.csv`,
      ]),
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
    for (const kind of ['boxes', 'bars', 'lines', 'points', 'densities']) {
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
    expect(page.match(/<svg/g)).toHaveLength(5);
  });
});
