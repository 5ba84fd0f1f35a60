import { describe, expect, it } from 'vitest';
import { at } from '../../../../core/analysis/src/internal/lists.ts';
import { figuresOf, joinFigures } from '../../src/study/study-figures.ts';
import { number, share, text } from '../../../../core/analysis/src/table.ts';
import { type Study, type StudyFigure } from '../../src/study/study.ts';

const study = (rows: Study['tables'][number]['rows']): Study => ({
  kind: 'mds',
  tables: [
    {
      title: 'Share of benchmarks in which no change is detected in the runs as recorded',
      source: 'a thesis',
      columns: [text('machine'), text('method'), share('0 %'), share('5 %')],
      rows,
      notes: [],
    },
  ],
});

describe('the figures of a study', () => {
  it('come from its tables: a series for each circumstance and method, places from the names of columns', () => {
    const [bars, lines] = figuresOf(
      study([
        ['m1', 'duet', 1, 0.5],
        ['m2', 'duet', 0.8, null],
      ]),
    );
    expect(bars).toMatchObject({ kind: 'bars', unit: 'share', place: null });
    expect(bars!.series).toEqual([
      { name: 'm1 duet', x: null, values: [1] },
      { name: 'm2 duet', x: null, values: [0.8] },
    ]);
    expect(lines).toMatchObject({ kind: 'lines', place: 'applied slowdown, %' });
    expect(lines!.series).toEqual([
      { name: 'm1 duet', x: [0, 5], values: [1, 0.5] },
      { name: 'm2 duet', x: [0], values: [0.8] },
    ]);
  });

  it('show the suite by the defaults of JMH, all projects together', () => {
    const shares = ['shorter than JMH 1.21', '5 times', '10 times', 'longer'];
    const columns = [
      text('project'),
      ...shares.map((name) => share(name)),
      number('recorded (h)'),
      number('JMH 1.20 (h)'),
    ];
    const rows = [
      ['one', 1, 1, 1, 0, 2, 3] as const,
      ['two', 1, 1, 1, 0, 4, 5] as const,
      ['Total', 0.5, 0.4, 0.2, 0.1, 6, 8] as const,
    ];
    const title = 'Time of the suite as recorded, and by the defaults of JMH';
    const tables = [{ title, source: 'a paper', columns, rows, notes: [] }];
    const [figure, suites] = figuresOf({ kind: 'stopping', tables });
    expect(figure).toMatchObject({ name: 'fse20-figure-2-times', kind: 'bars' });
    expect(figure!.series.map(({ name, values }) => [name, ...values])).toEqual(
      shares.map((name, k) => [name, rows[2]![k + 1]]),
    );
    expect(suites).toMatchObject({
      name: 'fse20-figure-2-suites',
      series: [
        { name: 'recorded (h)', values: [2, 4] },
        { name: 'JMH 1.20 (h)', values: [3, 5] },
      ],
    });
  });

  it('are left out where nothing was measured for them', () => {
    expect(figuresOf(study([]))).toEqual([]);
  });

  it('of several parts are one each, with the part in the names of the series', () => {
    const figure: StudyFigure = {
      name: 'f',
      title: 'F',
      source: 's',
      kind: 'boxes',
      value: 'v',
      unit: 'ratio',
      place: null,
      series: [{ name: 'x', x: null, values: [1] }],
    };
    const joined = joinFigures([
      { label: 'a', figures: [figure] },
      { label: 'b', figures: [figure] },
    ]);
    expect(joined).toHaveLength(1);
    expect(at(joined, 0).series.map(({ name }) => name)).toEqual(['a x', 'b x']);
  });
});
