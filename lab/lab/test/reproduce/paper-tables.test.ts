import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { columnOf, numberOf, papers, printed, quoted, tablesOf } from '../../../reproduce/lib/paper-tables.js';

const root = join(import.meta.dirname, '../../../..');
const folder = process.env['DEADHEAT_PAPERS'] ?? join(root, '../shared/papers');
const absent = existsSync(folder) ? '' : ` (skipped: DEADHEAT_PAPERS names no folder with the texts of the papers)`;

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

describe.skipIf(absent !== '')(`tables of the papers${absent}`, () => {
  it.each(Object.entries(papers))('are those of the text of %s', (paper, file) => {
    const tables = tablesOf(readFileSync(join(folder, file), 'utf8')) as Readonly<Record<string, unknown>>;
    expect(Object.keys(tables).length).toBeGreaterThan(0);
    for (const [name, rows] of Object.entries(tables)) expect(printed(paper, name), name).toEqual(rows);
  });

  it.each(Object.entries(papers))('are quoted by the script of %s word by word', (paper, file) => {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll(/[*_\s]+/g, ' ');
    const script = readFileSync(join(root, `lab/reproduce/${paper}.js`), 'utf8');
    const quotes = [...script.matchAll(/^ {6}'.*'/gm)].flatMap(([line]) => [...line.matchAll(/"([^"]+)"/g)]);
    if (paper !== 'fse20') expect(quotes.length).toBeGreaterThan(0);
    for (const [, quote] of quotes) expect(text).toContain(quote);
  });

  it('hold the numbers that the text repeats', () => {
    const text = readFileSync(join(folder, papers.fse20), 'utf8');
    const script = readFileSync(join(root, 'lab/reproduce/fse20.js'), 'utf8');
    for (const [quote] of script.matchAll(/\d+\.\d ± \d+\.\d/g)) expect(text).toContain(quote);
    for (const share of ['34%', '28%', '18%', '2%']) expect(text).toContain(`(${share})`);
  });
});

describe('quotes of the papers', () => {
  it('are cells as a script prints them', () => {
    expect(quoted('fse20', 'Table 3', 'Total')).toMatch(/^\d+\.\d %, \d+\.\d %, \d+\.\d %$/);
    expect(() => quoted('fse20', 'Table 3', 'nobody')).toThrow('Table 3 of fse20 has no row nobody');
    expect(() => printed('fse20', 'Table 99')).toThrow('has no Table 99');
    expect(['×1.13', '(×0.96)', '2.3×', '71%', '-'].map(numberOf)).toEqual([1.13, 0.96, 2.3, 71, Number.NaN]);
    expect(columnOf('oopsla26', 'Table 1', 6)).toHaveLength(25);
  });

  // Section 7.2 prints widths of duets, of shuffled duets and of the standard method, rounded to two digits.
  it('of the first table of ICPE 2020 come out of the widths of its section 7.2', () => {
    for (const [platform = '', ...averages] of printed('icpe20', 'Table 1').slice(1)) {
      for (const [suite, average = ''] of averages.entries()) {
        if (platform === 'Average' || Number.isNaN(numberOf(average))) continue;
        const ratios = ['section 7.2', 'section 7.2 (2)'].flatMap((table) => {
          const [head = [], ...rows] = printed('icpe20', table) as readonly (readonly string[])[];
          const column = head.indexOf(platform);
          return rows
            .filter(([name = '']) => /^\d/.test(name) === (suite === 1))
            .map((row) =>
              (row[column] ?? '')
                .replaceAll(/<\/?b>/g, '')
                .split(':')
                .map(Number),
            )
            .flatMap(([duet = 0, , standard = 0]) => (duet > 0 && standard > 0 ? [standard / duet] : []));
        });
        expect(ratios.length, platform).toBeGreaterThan(15);
        expect(geometricMean(ratios) / numberOf(average), platform).toBeCloseTo(1, 1);
      }
    }
  });
});
