import { describe, expect, it } from 'vitest';
import { at } from '../../../../core/analysis/src/internal/lists.ts';
import { accuracyStudy } from '../../src/study/accuracy-study.ts';
import { studyByFacets, usualFacets } from '../../src/study/study-by-facets.ts';
import type { StudyBenchmark } from '../../../../core/analysis/src/disturbance/study-group.ts';
import { count, text } from '../../../../core/analysis/src/table.ts';
import { type Study } from '../../src/study/study.ts';
import { trialsOf } from '../../../../core/analysis/test/helpers/recordings.ts';
import { column, itself, studied } from './study-support.ts';

const facets = ['neighbour'] as const;
const beside = (params: Record<string, string>, name = 'loop'): StudyBenchmark =>
  studied('sequential', trialsOf([[100], [100]], [[100], [104]]), { ...itself, name, params });

/** Names the benchmarks; has a column and a table of its own for any called `only`. */
const make = (benchmarks: readonly StudyBenchmark[]): Study => {
  const labels = benchmarks.map(({ benchmark }) => `${benchmark.name} ${JSON.stringify(benchmark.params)}`);
  const special = benchmarks.some(({ benchmark }) => benchmark.name === 'only');
  const table = { title: 'names', source: 'a paper', columns: [text('benchmark')], rows: labels.map((one) => [one]) };
  const notes = special ? ['always', 'special'] : ['always'];
  return {
    kind: 'accuracy',
    tables: special
      ? [
          { ...table, columns: [count('n'), text('benchmark')], rows: labels.map((one) => [1, one]), notes },
          { ...table, title: 'extra', notes: [] },
        ]
      : [{ ...table, notes }],
  };
};

describe('a study by circumstances', () => {
  it('is the study as it is where nothing is told of any', () => {
    const benchmarks = [beside({}), beside({ level: '1' })];
    expect(usualFacets(benchmarks)).toEqual([]);
    expect(studyByFacets(benchmarks, { facets: [], make })).toEqual(make(benchmarks));
  });

  it('has the value first in every row, and what only some parts have where they have it', () => {
    const benchmarks = [
      beside({ neighbour: 'none', level: '1' }),
      beside({ neighbour: 'both' }, 'only'),
      beside({ neighbour: 'none' }),
      beside({}),
    ];
    const { tables } = studyByFacets(benchmarks, { facets: usualFacets(benchmarks), make });
    expect(tables.map(({ title }) => title)).toEqual(['names', 'extra']);
    expect(at(tables, 0)).toMatchObject({
      columns: [text('neighbour'), text('benchmark'), count('n')],
      rows: [
        ['none', 'loop {"level":"1"}', null],
        ['none', 'loop {}', null],
        ['both', 'only {}', 1],
        [null, 'loop {}', null],
      ],
      notes: ['always', 'both: special'],
    });
    expect(at(tables, 1)).toMatchObject({ rows: [['both', 'only {}']] });
  });

  it('neither puts together nor averages what was measured under different circumstances', () => {
    const options = { seed: 'study' };
    const parts = ['none', 'both'].map((neighbour) => beside({ neighbour }));
    const { tables } = studyByFacets(parts, { facets, make: (own) => accuracyStudy(own, options) });
    const [alone] = accuracyStudy([beside({})], options).tables;
    expect(column(tables[0], 'neighbour')).toEqual(['none', 'both']);
    expect(column(tables[0], 'benchmark')).toEqual(['loop', 'loop']);
    const [width] = column(alone, 'standard');
    expect(column(tables[0], 'standard')).toEqual([width, width]);
  });

  it('keeps machines apart without being asked, and by suites where it is', () => {
    const on = (machine: string, suite: string): StudyBenchmark => ({ ...beside({}), facets: { machine, suite } });
    const benchmarks = [on('a', 'x'), on('b', 'x'), on('a', 'y'), on('a', 'x')];
    expect(usualFacets(benchmarks)).toEqual(['machine']);
    expect(usualFacets(benchmarks.slice(2))).toEqual([]);
    const rowsBy = (...by: Parameters<typeof studyByFacets>[1]['facets']) =>
      studyByFacets(benchmarks, {
        facets: by,
        make: (own) => accuracyStudy(own, { seed: 'study' }),
      }).tables[0]!.rows.map((row) => [...row.slice(0, by.length), row[by.length + 2]]);
    // Two runs a recording: those of one machine count together.
    expect(rowsBy('machine')).toEqual([
      ['a', 6],
      ['b', 2],
    ]);
    expect(rowsBy('machine', 'suite')).toEqual([
      ['a', 'x', 4],
      ['b', 'x', 2],
      ['a', 'y', 2],
    ]);
  });
});
