import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderPage, renderPlots } from '../src/render-page.ts';
import { worstFirst } from '../src/report-input.ts';
import { explanation } from './support-explanation.ts';
import { aComparison, anInput, someHosts } from './support-input.ts';
import { aReport, machine } from './support-report.ts';

/** What a browser would take to be markup where text was meant. */
const attack = '<script>alert(1)</script>"\'&\n\u202e';

function countOf(page: string, part: string): number {
  return page.split(part).length - 1;
}

function bodyOf(page: string): string {
  return page.slice(page.indexOf('<body>'), page.indexOf('<script'));
}

describe('a page', () => {
  it('holds the functions behind a difference, with names as text, and none where it was not explained', () => {
    const page = renderPage({ ...anInput({ benchmarks: 1 }), explanation });
    expect(page).toContain('x&lt;/script&gt;|y');
    expect(countOf(page, '</script>')).toBe(2);
    const data = /class="data">(.*?)<\/script>/.exec(page)?.[1] ?? '';
    expect(JSON.parse(data)).toEqual({
      labels: [
        ['main', 'a.c:9'],
        ['x</script>|y', 'a.c:4'],
      ],
      root: [-1, 9e8, 10e8, [0, 9e8, 10e8, [1, 5e8, 6e8]]],
    });
    expect(renderPage(anInput({ benchmarks: 1 }))).not.toContain('id="functions"');
  });

  it('says where its figures are made from some of the runs', () => {
    const input = anInput({ benchmarks: 1 });
    expect(renderPage(input)).not.toContain('one run in');
    const page = renderPage({ ...input, points: input.points.map((one) => ({ ...one, each: 4 })) });
    expect(page).toContain('<p>Figures and tables of runs are made from one run in 4.</p>');
  });

  it('tells verdicts first, the worst of them on top, then every benchmark with its pictures', () => {
    const page = renderPage(anInput());
    expect(page.indexOf('id="verdicts"')).toBeLessThan(page.indexOf('id="b1"'));
    const rows = [...page.matchAll(/<tr\s+data-k="[^"]*"\s+data-v="([^"]*)"/g)].map(([, verdict]) => verdict);
    expect(rows).toEqual(['slower', 'undecided', 'faster', 'dead-heat']);
    expect(countOf(page, '<section class="benchmark"')).toBe(4);
    // times, ratio, two strips of noise, two distributions, detection, spread; and a switch strip
    expect(countOf(page, '<svg class="plot"')).toBeGreaterThanOrEqual(4 * 8);
    expect(page).toContain('B is 2.4 % slower than A');
    expect(page).toContain(
      '1 of 4 slower: benchmark 001 size=10; 1 more may be, beyond the margin (Holm: any false alarm in at most 0.5 %)',
    );
    expect(page).toContain('deadheat --harness --method sync-duet --seed 1a2b3c4d --runs 30 --confidence 99%');
  });

  it('shows where the times differ, in a picture and in words, with a band that may have no end', () => {
    const body = bodyOf(renderPage(anInput({ benchmarks: 1, runs: 4 })));
    expect(body).toContain(
      'aria-label="B / A − 1 of the quantiles of the times: 10 %: 1.0 %, 50 %: 5.0 %, 90 %: 9.0 %"',
    );
    expect(body).toMatch(
      /10 %: \+1\.0 % \[\+0\.5 % … \+2\.0 %\]; 50 %: [^;]*; 90 %: \+9\.0 % \[[^\]]*\]: B \/ A of the iterations/,
    );
    expect(body).not.toContain('NaN');
    const without = renderPage({
      report: aReport([aComparison({ shift: null })]),
      points: anInput({ benchmarks: 1, runs: 4 }).points,
    });
    expect(without).not.toContain('of the quantiles of the times');
  });

  it('marks in the table and above the details what the gate does not count as it stands', () => {
    const report = aReport(['barely', 'waived', 'really'].map((benchmark) => aComparison({ benchmark })));
    const waiver = { reason: 'known', expires: '2027-01-31' };
    const changes = {
      barely: { slower: false, adjustedP: 0.02, outcome: 'not-measured' },
      waived: { waiver, outcome: 'waived' },
      really: {},
    } as const;
    const benchmarks = report.gate.benchmarks.map((one) => ({
      ...one,
      ...changes[one.benchmark as keyof typeof changes],
    }));
    const page = renderPage({ report: { ...report, gate: { ...report.gate, benchmarks } }, points: [] });
    const body = bodyOf(page);

    function marks(pattern: RegExp): unknown {
      return Object.fromEntries([...body.matchAll(pattern)].map(([, name = '', mark]) => [name, mark]));
    }

    const marked = { barely: 'not counted', waived: 'waived until 2027-01-31', really: undefined };
    const badge = String.raw`<span class="v slower"\s*><span aria-hidden="true">[^<]*</span> SLOWER</span\s*>`;
    const note = '(?: <small>([^<]*)</small>)?';
    expect(marks(new RegExp(String.raw`<a href="#b\d">(\w+)</a>\s*</th>\s*<td>${badge}${note}</td>`, 'g'))).toEqual(
      marked,
    );
    expect(marks(new RegExp(String.raw`<h3 id="b\d-h">(\w+) ${badge}${note}</h3>`, 'g'))).toEqual(marked);
  });

  it('tells what each host found, and which hosts there were', () => {
    const hosts = someHosts(attack);
    const report = aReport([aComparison({ hosts })], {
      hosts: [
        { id: 'build-05', machine, labels: { region: 'north' } },
        { id: attack, machine, labels: { [attack]: attack }, confirms: true },
      ],
    });
    const page = renderPage({
      report: { ...report, experiment: { ...report.experiment, complete: false } },
      points: anInput({ benchmarks: 1, runs: 4 }).points,
    });
    expect(countOf(page, '<script')).toBe(1);
    expect(page).toContain('Each host by itself');
    expect(page).toMatch(/<th scope="row">build-05<\/th>\s*<td class="n">29<\/td>\s*<td class="n">\+2.4 %<\/td>/);
    expect(page).toContain('(too few runs for an interval)');
    expect(page).toContain('30 runs of 100 on 2 hosts');
    expect(page).toContain(
      '2 hosts; B / A differs between them by 0.4 % (SD), between runs of one by 0.6 %; the time of A',
    );
    expect(page).toContain('region = north');
    expect(page).toContain(', which confirms');
    // One machine alone could neither finish it nor measure it again.
    expect(page).not.toContain('deadheat --resume');
    expect(page).not.toContain('--runs 30');
  });

  it('asks nothing of the network, and allows its own script and style alone', () => {
    const page = renderPage(anInput({ benchmarks: 1 }));
    expect(page).not.toMatch(/(?:src|href)="(?!#|data:)/);
    expect(page).not.toMatch(/ style="/);
    const policy = /Content-Security-Policy"\s+content="([^"]*)"/.exec(page)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    for (const tag of ['style', 'script'] as const) {
      const [, content = ''] = new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`).exec(page) ?? [];
      expect(content.length).toBeGreaterThan(100);
      expect(policy).toContain(`sha256-${createHash('sha256').update(content).digest('base64')}`);
    }
  });

  it('shows names, commands and messages as text, whatever is in them', () => {
    const { points } = anInput({ benchmarks: 1, runs: 4 });
    const own = { benchmark: attack, params: { [attack]: attack } };
    const { sides } = aComparison();
    const side = { ...sides.A, command: attack, name: attack };
    const comparison = aComparison({
      ...own,
      sides: { A: side, B: { ...side, command: `echo 'it''s'\nls "$HOME" ${attack}` } },
      warnings: [{ code: 'LOAD', message: attack }],
    });
    const report = aReport([comparison]);
    const page = renderPage({
      report: {
        ...report,
        experiment: { ...report.experiment, name: attack, recording: attack, seed: attack },
        machine: { ...machine, hostname: attack },
        warnings: [{ code: 'STEAL', message: attack }],
      },
      points: points.map((one) => ({ ...one, ...own, failed: [{ run: 0, reasons: [attack] }] })),
    });
    expect(page).not.toContain('<script>alert');
    expect(countOf(page, '<script')).toBe(1);
    expect(page).not.toContain('\u202e');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('says that nothing has enough runs yet, and what to do', () => {
    const page = renderPage({ report: aReport([]), points: [] });
    expect(page).toContain('No benchmark has enough runs');
    expect(page).toContain('deadheat --resume .deadheat/2026-01-02T03-04-05-gzip');
    expect(page).toContain('no verdict');
  });

  it('tells a comparison without points, and one whose sides never met', () => {
    const { report, points } = anInput({ benchmarks: 2, runs: 3, iterations: 1, warmup: 0, method: 'sequential' });
    const none = { a: new Int32Array(0), b: new Int32Array(0) };
    const [first] = points.map((one) => ({ ...one, runs: one.runs.map((run) => ({ ...run, pairs: none })) }));
    const page = renderPage({ report, points: first === undefined ? [] : [first] });
    expect(countOf(page, '<section class="benchmark"')).toBe(2);
    expect(countOf(page, 'figure class="broad times"')).toBe(1);
    expect(page).toContain('The sides ran one after the other');
    expect(bodyOf(page)).not.toContain('NaN');
  });

  it('draws which iterations of an asynchronous duet are pairs', () => {
    const page = renderPage(anInput({ benchmarks: 1, runs: 3, method: 'async-duet' }));
    expect(page).toContain('Which iterations are pairs');
  });

  it('begins with the gate, and counts apart what the gate does not count', () => {
    const report = aReport([aComparison({ benchmark: 'really' }), aComparison({ benchmark: 'barely' })]);
    const benchmarks = report.gate.benchmarks.map((one) =>
      one.benchmark === 'barely' ? { ...one, slower: false, adjustedP: 0.02, outcome: 'not-measured' as const } : one,
    );
    const page = renderPage({ report: { ...report, gate: { ...report.gate, benchmarks } }, points: [] });
    expect(page).toContain('<title>gzip: 1 slower, 1 not counted</title>');
    expect(page.indexOf('1 of 2 slower: really')).toBeLessThan(page.indexOf('id="verdicts-table"'));
    expect(page).toMatch(/not counted <b>1<\/b>/);
  });

  it('tells intervals that know no bound', () => {
    const interval = { ...aComparison().interval, low: 0, high: Number.MAX_VALUE };
    const comparison = aComparison({ interval, verdict: 'dead-heat', minimalDetectableSlowdown: Number.MAX_VALUE });
    const { points } = anInput({ benchmarks: 1, runs: 2 });
    const page = renderPage({
      report: aReport([comparison]),
      points: points.map((one) => ({ ...one, benchmark: comparison.benchmark, params: {} })),
    });
    expect(page).toContain('no bound');
    expect(bodyOf(page).match(/.{40}(?:NaN|Infinity|\de\+).{20}/g)).toBeNull();
  });

  it('bins what is too much to draw, and says so; its size stays bounded', () => {
    const page = renderPage(anInput({ benchmarks: 1, runs: 10, iterations: 100_000, warmup: 0 }));
    expect(page).toMatch(/a mark stands for 334 consecutive iterations/);
    expect(page.length).toBeLessThan(1_500_000);
  });

  it('holds 10 000 benchmarks in its table and the worst of them in full', () => {
    const comparisons = Array.from({ length: 10_000 }, (_, index) =>
      aComparison({ benchmark: `b${index}`, verdict: index === 9_999 ? 'slower' : 'dead-heat' }),
    );
    const page = renderPage({ report: aReport(comparisons), points: [] });
    expect(countOf(page, '<tr data-k=')).toBe(10_000);
    expect(countOf(page, '<section class="benchmark"')).toBe(200);
    expect(page.indexOf('b9999')).toBeLessThan(page.indexOf('b123'));
    expect(page.length).toBeLessThan(12_000_000);
  });
});

describe('plots', () => {
  it('are files of their own with a forest plot among them, and colours for light and dark', () => {
    const plots = renderPlots(anInput({ benchmarks: 2, runs: 3 }));
    const names = plots.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['forest.svg', '01-times-1.svg', '01-times-2.svg', '02-detection.svg']),
    );
    expect(new Set(names).size).toBe(names.length);
    for (const { svg } of plots) {
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^]*<\/svg>\n$/);
      expect(svg).toContain('prefers-color-scheme:dark');
    }
  });
});

describe('the order of a report', () => {
  it('is by verdict, then by how much slower', () => {
    function of(verdict: 'slower' | 'faster', estimate: number) {
      return aComparison({ verdict, interval: { ...aComparison().interval, estimate } });
    }

    const ordered = worstFirst([of('faster', 0.9), of('slower', 1.1), of('slower', 1.5)]);
    expect(ordered.map(({ interval }) => interval.estimate)).toEqual([1.5, 1.1, 0.9]);
  });
});
