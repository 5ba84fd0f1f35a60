import { describe, expect, it } from 'vitest';
import type { Study } from '../../src/study/study.ts';
import { renderStudy, studyCsv } from '../../../../core/report/src/text/render-study.ts';
import type { TerminalStyle } from '../../../../core/cli/src/terminal/style.ts';

const study: Study = {
  kind: 'accuracy',
  tables: [
    {
      title: 'Widths',
      source: 'a paper, section 1',
      columns: [
        { name: 'benchmark', unit: 'text' },
        { name: 'runs', unit: 'count' },
        { name: 'duet', unit: 'share' },
        { name: 'gain', unit: 'ratio' },
      ],
      rows: [
        ['sort', 10, 0.0123456, 5.03],
        ['a, "b"', 2, null, 37.41],
      ],
      notes: ['what it means'],
    },
    {
      title: 'Means',
      source: 'a paper, table 1',
      columns: [
        { name: 'metric', unit: 'text' },
        { name: 'duet', unit: 'share' },
      ],
      rows: [],
      notes: [],
    },
  ],
};

const plain: TerminalStyle = { color: false, interactive: false, width: null, quiet: false };

describe('a study as text', () => {
  it('has every table with its source, its figures in their units, and its notes', () => {
    expect(renderStudy(study, plain)).toBe(
      [
        'Widths',
        'source: a paper, section 1',
        '',
        'benchmark  runs    duet    gain',
        'sort         10  1.23 %  5.0300',
        'a, "b"        2       -    37.4',
        '',
        '- what it means',
        '',
        'Means',
        'source: a paper, table 1',
        '',
        'nothing was measured for this',
        '',
      ].join('\n'),
    );
  });

  it('has a paragraph a row where the terminal is too narrow', () => {
    const text = renderStudy(study, { ...plain, width: 30 });
    expect(text).toContain('sort\n  runs 10, duet 1.23 %, gain\n  5.0300');
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(30);
  });

  it('begins such a paragraph with all words before the first figure', () => {
    const [table] = study.tables;
    if (table === undefined) throw new RangeError('no table');
    const columns = [{ name: 'neighbour', unit: 'text' } as const, ...table.columns];
    const rows = table.rows.map((row) => ['both', ...row]);
    expect(renderStudy({ ...study, tables: [{ ...table, columns, rows }] }, { ...plain, width: 30 })).toContain(
      'both, sort\n  runs 10, duet',
    );
  });

  it('does not let a name write to the terminal', () => {
    const [table] = study.tables;
    if (table === undefined) throw new RangeError('no table');
    const evil = { ...study, tables: [{ ...table, rows: [['\u001b[31mred', 1, 1, 1]] }] };
    expect(renderStudy(evil, plain)).not.toContain('\u001b');
  });

  it('shows small and large shares with the digits that count', () => {
    const shares = [0, 0.00012345, 0.5, 1, 0.123456, -0.02, 4.76];
    const text = renderStudy(
      {
        tables: [
          { title: 't', source: 's', columns: [{ name: 'x', unit: 'share' }], rows: shares.map((x) => [x]), notes: [] },
        ],
      },
      plain,
    );
    const shown = text
      .split('\n')
      .slice(4, -1)
      .map((line) => line.trim());
    expect(shown).toEqual(['0 %', '0.0123 %', '50.0 %', '100 %', '12.3 %', '-2.00 %', '476 %']);
  });
});

it('a study as CSV is one table, with the units in its head', () => {
  expect(studyCsv(study)).toBe(
    [
      'table,benchmark,runs [count],duet [share],gain [ratio],metric',
      'Widths,sort,10,0.0123456,5.03,',
      'Widths,"a, ""b""",2,,37.41,',
      '',
    ].join('\n'),
  );
});

it('a study as CSV keeps columns of the same name apart', () => {
  const [aware, ignorant] = [
    { name: 'aware missed', unit: 'share' },
    { name: 'ignorant missed', unit: 'share' },
  ] as const;
  const ends = { name: 'at least', unit: 'share' } as const;
  const columns = [aware, ends, ignorant, ends];
  expect(studyCsv({ tables: [{ title: 't', source: 's', columns, rows: [[0.1, 0.2, 0.3, 0.4]], notes: [] }] })).toBe(
    'table,aware missed [share],at least [share],ignorant missed [share],at least 2 [share]\nt,0.1,0.2,0.3,0.4\n',
  );
});
