import { describe, expect, it } from 'vitest';
import { judgeGate } from '@deadheat/analysis';
import type { Comparison, Report, Waiver } from '@deadheat/model';
import { toJunit } from '../../src/export/junit.ts';
import { aComparison, aDeadHeat, anUndecided, aReport } from '../../../report/test/support-report.ts';

const waiver = { reason: 'tables come <later>', expires: '2027-01-31' };

function judged(
  comparisons: readonly { readonly comparison: Comparison; readonly waiver: Waiver | null }[],
  today = '2026-11-21',
): Report {
  return aReport(
    comparisons.map(({ comparison }) => comparison),
    { gate: judgeGate({ judged: comparisons, correction: 'holm', today }).gate },
  );
}

/** What stands in each test case. */
function results(xml: string): Record<string, string> {
  const cases = xml.matchAll(/<testcase name="([^"]*)"[^>]*>([^]*?)<\/testcase>/g);
  return Object.fromEntries(
    Array.from(cases, ([, name = '', content = '']) => [
      name,
      /<(failure|error|skipped)/.exec(content)?.[1] ?? 'passed',
    ]),
  );
}

const parse = aComparison({ benchmark: 'parse' });
const lex = aComparison({ benchmark: 'lex' });

describe('JUnit XML', () => {
  it('fails what fails the gate, skips what is waived, and is an error where neither was measured', () => {
    const barely = aComparison({
      benchmark: 'barely',
      pValues: { slower: 0.004, faster: 0.996, least: 0, gate: { slower: 0.004, faster: 0.996 } },
    });
    const xml = toJunit(
      judged([
        { comparison: parse, waiver: null },
        { comparison: lex, waiver },
        { comparison: barely, waiver: null },
        { comparison: anUndecided({ benchmark: 'sort' }), waiver: null },
        { comparison: aDeadHeat({ benchmark: 'print' }), waiver },
      ]),
    );
    expect(results(xml)).toEqual({
      parse: 'failure',
      lex: 'skipped',
      barely: 'error',
      sort: 'error',
      print: 'passed',
    });
    expect(xml).toContain('tests="5" failures="1" errors="2" skipped="1"');
    expect(xml).toContain('excused until 2027-01-31 (tables come &lt;later&gt;): B is 2.4 % slower');
    expect(xml).toContain('slower by itself, not after the correction');
    expect(xml).toContain(
      '<error type="not-measured" message="not measured well enough: B may be up to 3.3 % slower: ',
    );
  });

  it('fails a benchmark again whose waiver ended yesterday', () => {
    expect(results(toJunit(judged([{ comparison: lex, waiver }], '2027-01-31')))).toEqual({ lex: 'skipped' });
    expect(results(toJunit(judged([{ comparison: lex, waiver }], '2027-02-01')))).toEqual({ lex: 'failure' });
  });

  it('is an error where a control fired, and decides nothing beside it', () => {
    const control = aComparison({ benchmark: 'parse (A against itself)', controlOf: 'parse' });
    const calm = aDeadHeat({ benchmark: 'parse (A against itself)', controlOf: 'parse' });
    const withControl = (one: Comparison): Record<string, string> =>
      results(
        toJunit(
          judged([
            { comparison: parse, waiver: null },
            { comparison: one, waiver: null },
          ]),
        ),
      );
    expect(withControl(control)).toEqual({ parse: 'skipped', 'parse (A against itself)': 'error' });
    expect(withControl(calm)).toEqual({ parse: 'failure', 'parse (A against itself)': 'passed' });
  });

  it('has an error for an experiment that failed, so that no reader takes it for one that passed', () => {
    const xml = toJunit(aReport([]), { troubles: ["'./b' ended with exit code 3"] });
    expect(xml).toContain('tests="1" failures="0" errors="1"');
    expect(results(xml)).toEqual({ 'the experiment': 'error' });
  });
});
