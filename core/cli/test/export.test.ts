import { reportSchema } from '@deadheat/model';
import { renderTables } from '@deadheat/report';
import { describe, expect, it } from 'vitest';
import { report as render } from '../../deadheat/src/library/report.ts';
import { reportStream } from '../src/terminal/output.ts';
import { expectGolden } from './support-golden.ts';
import { aComparison, aDeadHeat, aReport, aSide, aWatched } from '../../report/test/support-report.ts';

const awkward = aDeadHeat({
  benchmark: 'cat f | wc -l vs `x`',
  params: { size: '10', sep: 'a,"b"\nc' },
  sides: { A: aSide({ command: 'cat f | wc -l' }), B: aSide({ command: 'echo `x`', user: null, stddev: null }) },
  warnings: [{ code: 'STEAL', message: 'The hypervisor took 3.1 % | of <b>everything</b>; *use* another machine.' }],
});
const report = aReport([aComparison({ params: { size: '1' } }), awkward]);

describe('an export', () => {
  it('as JSON is the report, unchanged', async () => {
    const text = await render(report, { format: 'json' });
    expect(text.endsWith('}\n')).toBe(true);
    expect(reportSchema.parse(JSON.parse(text))).toEqual(report);
  });

  it('has the interval that held at every look beside the other, and marks it where it decides', async () => {
    const watched = aReport([aWatched()]);
    expect(reportSchema.parse(JSON.parse(await render(watched, { format: 'json' })))).toEqual(watched);
    const [head = '', row = ''] = (await render(watched, { format: 'sides-csv' })).split('\n');
    const columns = head.split(',');
    const field = (name: string): string | undefined => row.split(',')[columns.indexOf(name)];
    expect(['ratio_low', 'ratio_high', 'kind', 'fixed_low'].map((name) => field(name))).toEqual([
      '1.009',
      '1.04',
      'anytime-t',
      '1.016',
    ]);
    expect(renderTables(watched)).toContain('| 99 % at every interim analysis: +0.9 % … +4.0 % |');
  });

  it('as CSV has the columns of hyperfine first, a row a side, and quotes what needs it', async () => {
    const text = await render(report, { format: 'sides-csv' });
    expectGolden('export.csv', text);
    expect(text).toMatch(
      /^command,mean,stddev,median,user,system,min,max,parameter_size,parameter_sep,benchmark,side,/,
    );
    expect(text).toContain('"a,""b""\nc"');
  });

  it('as Markdown has tables whose cells no command can break', () => {
    const text = renderTables(report);
    expectGolden('export.md', text);
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    // 8 cells have 9 bars; a bar with a backslash is text.
    expect(rows.every((row) => (row.match(/(?<!\\)\|/g) ?? []).length === 9)).toBe(true);
    expect(text).not.toContain('±');
  });
});

describe('the report for people', () => {
  it('leaves stdout to an export that asks for it', () => {
    expect(reportStream({ json: '-', csv: null, markdown: null, summary: null, junit: null })).toBe('stderr');
    expect(reportStream({ json: 'file', csv: null, markdown: null, summary: null, junit: null })).toBe('stdout');
  });
});
