import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Comparison, Gate, Report, Waiver } from '@deadheat/model';
import { codeSpan, escapeMarkdown } from '../src/markdown/dialects.ts';
import { mostCharacters, renderSummary } from '../src/markdown/render-summary.ts';
import { renderTables } from '../src/markdown/render-tables.ts';
import { aComparison } from './support-input.ts';
import { aReport } from './support-report.ts';

const attack =
  '<script>alert(1)</script> | `a` ``b`` \\| c\\\n\n# @octocat #1 [x](javascript:1) <!-- </details> ~~s~~ $x$ &lt;';

function ratioOf(estimate: number): Comparison['interval'] {
  return {
    ...aComparison().interval,
    estimate,
    low: estimate - 0.008,
    high: estimate + 0.008,
  };
}

function slower(benchmark: string): Comparison {
  return aComparison({ benchmark });
}

function deadHeat(benchmark: string): Comparison {
  return aComparison({ benchmark, interval: ratioOf(1.001), verdict: 'dead-heat' });
}

function faster(benchmark: string): Comparison {
  return aComparison({ benchmark, interval: ratioOf(0.97), verdict: 'faster' });
}

function undecided(benchmark: string): Comparison {
  return aComparison({ benchmark, interval: ratioOf(1.012), verdict: 'undecided', margin: 0.01 });
}

type Changes = Partial<Gate['benchmarks'][number]>;

/** A report whose gate says of some benchmarks what is given. */
function withGate(
  report: Report,
  { outcome, of }: { readonly outcome: Gate['outcome']; readonly of: Record<string, Changes> },
): Report {
  const benchmarks = report.gate.benchmarks.map((one) => ({ ...one, ...of[one.benchmark] }));
  return { ...report, gate: { ...report.gate, outcome, benchmarks } };
}

const waiver: Waiver = { reason: 'slow until | the *tables* are built', expires: '2027-01-31' };

/** GitHub's own renderer; HTML goes through as it does there before it is cleaned. */
const renderer = 'cmark-gfm';
const isThere = spawnSync(renderer, ['--version']).status === 0;
if (!isThere) console.warn(`summaries are not held against GitHub's renderer: there is no ${renderer} here`);

function htmlOf(markdown: string): string {
  const extensions = ['table', 'strikethrough', 'autolink', 'tasklist'].flatMap((name) => ['-e', name]);
  const { stdout, status } = spawnSync(renderer, ['--unsafe', ...extensions], { input: markdown, encoding: 'utf8' });
  expect(status).toBe(0);
  return stdout;
}

function textOf(html: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');
}

describe('a summary', () => {
  it('tells the gate first, then verdicts with the worst on top, then each benchmark folded', () => {
    const report = aReport([deadHeat('print'), faster('lex'), undecided('sort'), slower('parse')]);
    const text = renderSummary(report);
    const order = [
      'Gate 🔴 **failed**: 1 of 4 slower: parse',
      '- **not measured** sort may be up to ',
      '| `parse` |',
      '| `sort` |',
      '| `lex` |',
      '| `print` |',
      '<details>',
    ];
    const places = order.map((part) => text.indexOf(part));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(text).toContain('1 slower, 1 undecided, 1 faster, 1 dead heat\n');
    expect(text.match(/<details>/g)).toHaveLength(4);
    expect(text).toContain('seed `1a2b3c4d`');
    expect(text).not.toContain('±');
  });

  it('tells what is waived until when and why, what does not count among so many, and that runs are missing', () => {
    const report = aReport([slower('waived'), slower('barely'), slower('really')]);
    const of = {
      waived: { waiver, outcome: 'waived' },
      barely: { slower: false, adjustedP: 0.02, outcome: 'not-measured' },
    } as const;
    const { experiment } = report;
    const text = renderSummary({
      ...withGate(report, { outcome: 'failed', of }),
      experiment: { ...experiment, complete: false },
    });
    expect(text).toContain('Gate 🔴 **failed**: 1 of 3 slower: really');
    expect(text).toContain(
      '- **waived** waived: slower, excused until 2027-01-31: slow until \\| the \\*tables\\* are built',
    );
    expect(text).toMatch(/- \*\*not counted\*\* barely: slower by itself.* corrected p 0\.020, counts up to 0\.0050/);
    expect(text).toContain('- **incomplete** planned runs are missing');
    const rows = [...text.matchAll(/^\| `(\w+)` \| (.*?) \|/gm)].map(([, name, verdict]) => [name, verdict]);
    expect(rows).toEqual([
      ['really', '**slower**'],
      ['barely', '**slower**, not counted'],
      ['waived', '**slower**, waived until 2027-01-31'],
    ]);
  });

  it('abstains in the first line where a control fired, and shows the controls apart', () => {
    const control = { ...slower('parse (A against itself)'), controlOf: 'parse' };
    const text = renderSummary(aReport([slower('parse'), control]));
    expect(text).toContain('Gate ⚪ **abstained**: no decision: A differs from itself');
    expect(text).toContain('- **control** A differs from itself: parse (A against itself)');
    expect(text.indexOf('<summary>A against itself</summary>')).toBeGreaterThan(text.indexOf('| `parse` |'));
    expect(text.indexOf('| `parse (A against itself)` |')).toBeGreaterThan(text.indexOf('A against itself</summary>'));
  });

  it('tells what went wrong, also where nothing was measured', () => {
    const text = renderSummary(aReport([]), { troubles: ["'./b' ended with exit code 3", '| @all'] });
    expect(text).toContain("- **failed**: './b' ended with exit code 3\n- **failed**: \\| @<!-- -->all\n");
    expect(text).toContain('No benchmark has enough runs for a verdict.');
    expect(text).not.toContain('Gate');
  });

  it('has each warning once, and its message as text', () => {
    const warnings = [{ code: 'STEAL' as const, message: attack }];
    const text = renderSummary(
      aReport([
        { ...slower('a'), warnings },
        { ...slower('b'), warnings },
      ]),
    );
    // once for all, and in the details of both
    expect(text.match(/- \*\*STEAL\*\*/g)).toHaveLength(3);
    expect(text).not.toMatch(/(?<!\\)<script/);
  });

  it('leaves out details first, then rows, and says how many', () => {
    function many(count: number): Report {
      return aReport([
        ...Array.from({ length: count }, (_, index) => deadHeat(`bench ${index}`)),
        slower('the slow one'),
      ]);
    }

    const some = renderSummary(many(200));
    expect(some.length).toBeLessThanOrEqual(mostCharacters);
    expect(some.match(/^\| `/gm)).toHaveLength(201);
    const told = some.match(/<details>/g)?.length ?? 0;
    expect(told).toBeGreaterThan(10);
    expect(some).toContain(`Details of ${201 - told} more benchmarks are left out`);

    const most = renderSummary(many(10_000));
    expect(most.length).toBeLessThanOrEqual(mostCharacters);
    expect(most).not.toContain('<details>');
    const rows = most.match(/^\| `/gm)?.length ?? 0;
    expect(rows).toBeGreaterThan(200);
    expect(most.indexOf('| `the slow one` |')).toBeLessThan(most.indexOf('| `bench '));
    const grouped = `${10_001 - rows}`.replace(/^\d{5,}$/, (digits) => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ' '));
    expect(most).toContain(`${grouped} more benchmarks left out here: ${grouped} dead heats`);
  });

  it('is never longer than a comment may be, whatever stands in a report', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('@a'.repeat(20_000), '`'.repeat(9999), '|'.repeat(9999), '\\|'.repeat(9999)),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), text, (names, other) => {
        const comparisons = names.map((name, index) => ({
          ...(index % 2 === 0 ? slower(name) : deadHeat(name)),
          ...(index % 3 === 0 ? { controlOf: other } : {}),
          params: { [name]: other },
          warnings: [{ code: 'LOAD' as const, message: `${index} ${other}` }],
        }));
        const report = aReport(comparisons);
        const { experiment } = report;
        const of = Object.fromEntries(
          names.map((name) => [name, { waiver: { reason: other, expires: '2027-01-31' } }]),
        );
        const changed = withGate(
          { ...report, experiment: { ...experiment, name: other, seed: other, recording: other } },
          { outcome: 'failed', of },
        );
        expect(renderSummary(changed, { troubles: names }).length).toBeLessThanOrEqual(mostCharacters);
      }),
      { numRuns: 60, seed: 4 },
    );
  });
});

describe.skipIf(!isThere)("Markdown as GitHub's renderer reads it", () => {
  const sides = { A: { ...aComparison().sides.A, name: attack }, B: { ...aComparison().sides.B, name: attack } };
  const hostile = {
    ...slower(attack),
    params: { [attack]: attack },
    sides,
    warnings: [{ code: 'LOAD' as const, message: attack }],
  };
  const report = withGate(aReport([hostile, deadHeat('plain')]), { outcome: 'passed', of: { [attack]: { waiver } } });
  const named = { ...report, experiment: { ...report.experiment, name: attack, seed: attack, recording: attack } };

  it.each([
    ['summary', renderSummary(named, { troubles: [attack] })],
    ['tables', renderTables(named)],
  ])('makes a %s that no name can break', (_, markdown) => {
    const html = htmlOf(markdown);
    expect(html).not.toMatch(/<script|<a |<del>|<h1/);
    expect(html.match(/<details>/g)?.length).toBe(html.match(/<\/details>/g)?.length);
    const rows = [...html.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, cells = '']) => cells.match(/<t[hd]>/g)?.length);
    expect(rows.length).toBeGreaterThan(4);
    expect(new Set(rows)).toEqual(new Set([8]));
  });

  it('shows every text in a code span of a table, and as plain text, as it is', () => {
    const characters = fc.constantFrom(
      '|',
      '`',
      '\\',
      '<',
      '&',
      '*',
      '_',
      '@',
      '#',
      '~',
      '$',
      '[',
      ']',
      '1',
      'a',
      ' ',
      '-',
      '!',
    );
    const texts = fc.sample(fc.string({ unit: characters, minLength: 1, maxLength: 12 }), { numRuns: 400, seed: 9 });
    const shown = texts.map((text) => text.trim().replaceAll(/ +/g, ' ')).filter((text) => text !== '');
    const rows = shown.map((text) => `| ${codeSpan(text)} | x${escapeMarkdown(text)}x |\n`).join('');
    const html = htmlOf(`| code | text |\n| --- | --- |\n${rows}`);
    const read = [...html.matchAll(/<tr>\s*<td><code>([^]*?)<\/code><\/td>\s*<td>([^]*?)<\/td>\s*<\/tr>/g)];
    expect(read.map(([, code = '']) => textOf(code))).toEqual(shown);
    expect(read.map(([, , text = '']) => textOf(text))).toEqual(shown.map((text) => `x${text}x`));
  });
});
