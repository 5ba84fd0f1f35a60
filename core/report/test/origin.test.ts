import { describe, expect, it } from 'vitest';
import { aComparison, aReport, aSide } from './support-report.ts';
import { type Pipeline, renderSummary } from '../src/markdown/render-summary.ts';
import { renderTables } from '../src/markdown/render-tables.ts';

const base = '1a2b3c4'.padEnd(40, '0');
const head = '5d6e7f8'.padEnd(40, '0');
const github: Pipeline = {
  project: 'octo/sorter',
  projectUrl: 'https://github.example/octo/sorter',
  commitPath: '/commit/',
  runUrl: 'https://github.example/octo/sorter/actions/runs/42',
  artifactsUrl: 'https://github.example/octo/sorter/actions/runs/42#artifacts',
  folder: '/builds/team/sorter/sorter',
};

function ofCommits(): ReturnType<typeof aReport> {
  const command = 'node /builds/team/sorter/sorter/bench/sort.js';
  const sides = {
    A: aSide({ command: `${command}  # main (1a2b3c4)`, name: 'main (1a2b3c4)' }),
    B: aSide({ command: `${command}  # faster (5d6e7f8)`, name: 'faster (5d6e7f8)' }),
  };
  const warnings = [{ code: 'LOAD', message: 'see /builds/team/tools/_temp/log.txt; stop it' }] as const;
  const report = aReport([aComparison({ benchmark: 'sort', sides, warnings: [...warnings] })]);
  const commits = {
    A: { id: base, label: 'main', committedAt: null },
    B: { id: head, label: 'faster', committedAt: null },
  };
  const recording = '/builds/team/_temp/deadheat/recording';
  return { ...report, experiment: { ...report.experiment, commits, recording } };
}

describe('the summary of a pull request', () => {
  it('names project and benchmark file, then commits, run and artifact', () => {
    const [title, , origin] = renderSummary(ofCommits(), { pipeline: github }).split('\n');
    expect(title).toBe('## deadheat: `octo/sorter`, `node bench/sort.js`');
    expect(origin).toBe(
      'A `main` [`1a2b3c4`](https://github.example/octo/sorter/commit/' +
        `${base}) · B \`faster\` [\`5d6e7f8\`](https://github.example/octo/sorter/commit/${head})` +
        ' · [run](https://github.example/octo/sorter/actions/runs/42)' +
        ' · [report and recording](https://github.example/octo/sorter/actions/runs/42#artifacts)',
    );
  });

  it('has no path of the machine that ran it', () => {
    const troubles = ["'node' wrote: at /builds/team/sorter/sorter/bench/sort.js:3, /opt/hostedtoolcache/node/bin/x"];
    const text = renderSummary(ofCommits(), { troubles, pipeline: github });
    expect(text).not.toMatch(/\/(builds|opt|team|tools|hostedtoolcache)\b/);
    expect(text).toContain('bench/sort.js');
  });

  it('has the commits without links where no pipeline says where they are, and no address that could end a link', () => {
    expect(renderSummary(ofCommits()).split('\n')[2]).toBe('A `main` `1a2b3c4` · B `faster` `5d6e7f8`');
    const runUrl = 'https://x/) [click](javascript:alert(1)';
    expect(renderSummary(ofCommits(), { pipeline: { ...github, runUrl } })).not.toContain('[run]');
  });

  it('is one line a benchmark with the details folded, and a warning once a code', () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      aComparison({ benchmark: `b${index}`, warnings: [{ code: 'TREND', message: `b${index} drifts; wait` }] }),
    );
    const text = renderSummary(aReport(many));
    expect(text.match(/^\| `b\d+` \|/gm)).toHaveLength(40);
    expect(text).toContain('- **TREND**: in 40 of 40 benchmarks, first b0: b0 drifts; wait');
  });
});

describe('tables in other languages', () => {
  const hostile = aReport([aComparison({ benchmark: 'a|b *c* `d` ~e~ +f+ ]g', params: { size: '1' } })]);

  it('are AsciiDoc with a cell a line', () => {
    const text = renderTables(hostile, { dialect: 'asciidoc' });
    expect(text).toContain('[options="header"]\n|===\n| Benchmark\n| Verdict\n');
    expect(text).toContain(
      String.raw`| ${'``'}pass:c[a\|b *c* ${'`d`'} ~e~ +f+ \]g]${'``'} ${'``'}pass:c[size=1]${'``'}`,
    );
    expect(text).toContain('| {plus}2.4 %\n');
    expect(text.split('\n').filter((line) => line === '|===')).toHaveLength(4);
  });

  it('are Org with a rule below the head', () => {
    const text = renderTables(hostile, { dialect: 'org' });
    expect(text).toMatch(/^\| Benchmark \| Verdict \|.*\n\|---\+---/);
    expect(text).toContain(String.raw`| a\vert{}b *c* ${'`d`'} ~e~ +f+ ]g ~size=1~ | *slower* | +2.4 % |`);
    const lines = text.split('\n').filter((line) => line.startsWith('|') && !line.startsWith('|---'));
    // Eight columns in each of the two tables.
    expect(lines.every((line) => line.split('|').length === 10)).toBe(true);
  });

  it('have the unit that is asked for', () => {
    expect(renderTables(hostile, { timeUnit: 'µs' })).toContain('| 12310 µs |');
  });
});
