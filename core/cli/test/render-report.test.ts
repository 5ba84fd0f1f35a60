import { type Comparison, type Warning, warningFacts } from '@deadheat/model';
import { renderTables, verdictSentence } from '@deadheat/report';
import { describe, expect, it } from 'vitest';
import { renderReport } from '../../report/src/text/render-report.ts';
import { deadHeatSize } from '../../report/src/text/verdict-sentence.ts';
import type { TerminalStyle } from '../src/terminal/style.ts';
import { expectGolden } from './support-golden.ts';
import {
  aComparison,
  aDeadHeat,
  aLargeDifference,
  anUndecided,
  aReport,
  aSide,
  aWatched,
  onHosts,
} from '../../report/test/support-report.ts';
import { someSegments } from './support-segments.ts';

const plain: TerminalStyle = { color: false, interactive: false, width: null, quiet: false };
const wide: TerminalStyle = { ...plain, width: 120 };
const narrow: TerminalStyle = { ...plain, width: 80 };
/** Every comparison of several in full. */
const figures = { details: true };

const everyVerdict = [
  aComparison(),
  aDeadHeat(),
  anUndecided(),
  aLargeDifference(2, { params: { size: '10', level: 'a|b' } }),
];

describe('segments', () => {
  it('are told a run at a time, with classes, spread, both intervals and why one was chosen', () => {
    const report = aReport([aComparison({ method: 'sequential', segments: someSegments() })]);
    expectGolden('report-segments.txt', renderReport(report, narrow));
  });

  it('are left out where there is room for a verdict only', () => {
    const text = renderReport(aReport([aComparison({ segments: someSegments() })]), { ...plain, quiet: true });
    expect(text).not.toContain('segments of');
  });
});

describe('several hosts', () => {
  it('are told with what differs between them, and what each found', () => {
    const outlook = { moreRuns: 36, moreTimeNs: 240e9, moreHosts: 6 };
    const report = aReport([
      onHosts(),
      onHosts({ ...anUndecided(), hosts: onHosts().hosts, resampled: onHosts().resampled, outlook }),
      onHosts({
        verdict: 'undecided',
        outlook: null,
        confirmation: {
          hosts: ['runner-21', 'runner-22'],
          runs: 40,
          ratio: { estimate: 1.002, low: 0.991, high: 1.013, level: 0.99 },
          verdict: 'dead-heat',
        },
      }),
    ]);
    const { experiment } = report;
    expectGolden(
      'report-hosts.txt',
      renderReport(
        {
          ...report,
          hosts: [],
          experiment: { ...experiment, complete: false, parts: { count: 20, taken: [1, 2] } },
        },
        narrow,
        figures,
      ),
    );
  });

  it('stand in the tables', () => {
    const tables = renderTables(aReport([onHosts({ params: { size: '1' } })]));
    expect(tables).toContain('| Benchmark | Host | Runs | B / A | Interval | Mean of A | Mean of B |');
    expect(tables).toContain('| `runner-20` | 6 | +3.9 % | [+1.0 % … +5.0 %] | 13.90 ms | 14.20 ms |');
  });
});

describe('the wording of a verdict', () => {
  it('says how much slower B is, with interval, level, runs and method', () => {
    expect(verdictSentence(aComparison())).toBe(
      'B is 2.4 % slower than A   [+1.6 % … +3.1 %]   99 % CI, 40 runs, sync-duet',
    );
  });

  it('says how much faster B is', () => {
    const interval = { ...aComparison().interval, estimate: 0.976, low: 0.969, high: 0.984 };
    expect(verdictSentence(aComparison({ interval, verdict: 'faster' }))).toBe(
      'B is 2.4 % faster than A   [-3.1 % … -1.6 %]   99 % CI, 40 runs, sync-duet',
    );
  });

  it('says of a dead heat what was measured, and of a program against itself which slowdown would be found', () => {
    expect(verdictSentence(aDeadHeat())).toBe('B vs A: +0.1 % [-0.7 % … +0.9 %], 99 % CI, 40 runs, sync-duet');
    const { A } = aComparison().sides;
    expect(verdictSentence(aDeadHeat({ sides: { A, B: A } }))).toBe(
      'A vs A: +0.1 % [-0.7 % … +0.9 %], 99 % CI, 40 runs; this machine finds a slowdown of 1.1 % in 4 of 5 experiments',
    );
  });

  it.each([
    ['0.9 %', 0.993, 1.009],
    // 1 / 0.985 = 1.0152, rounded up
    ['1.6 %', 0.985, 1.01],
    ['0.05 %', 0.9996, 1.000_42],
    ['0 %', 1, 1],
  ])('says within what a dead heat was shown: %s', (size, low, high) => {
    const interval = { ...aComparison().interval, low, high };
    expect(deadHeatSize(aDeadHeat({ interval }))).toBe(`within ${size}`);
    expect(deadHeatSize(aComparison({ interval }))).toBeNull();
  });

  it('says of what the total time opposes what most runs do and what all do', () => {
    const sentence = (opposition: Comparison['opposition']) =>
      verdictSentence(anUndecided({ opposition })).split('; ')[1];
    expect(sentence({ found: 'faster', other: 'slower', by: 'estimate', ratio: 1.112 })).toBe(
      'faster in most runs, slower in sum (+11.2 %)',
    );
    expect(sentence({ found: 'slower', other: 'faster', by: 'interval', ratio: 0.9 })).toBe(
      'slower in most runs, but perhaps faster in sum (up to -10.0 %)',
    );
    expect(sentence({ found: 'dead-heat', other: 'slower', by: 'estimate', ratio: 1.04 })).toBe(
      'the same in most runs, slower in sum (+4.0 %)',
    );
  });

  it('names the total time where that decides, with the typical run beside it', () => {
    const typical = { ...aComparison().interval, estimate: 0.9, low: 0.88, high: 0.92 };
    const bySum = { judge: 'total', typical } as const;
    expect(verdictSentence(aComparison(bySum))).toMatch(/^B is 2\.4 % slower than A in sum {3}\[\+1\.6 %/);
    expect(verdictSentence(aDeadHeat(bySum))).toMatch(/^B vs A in sum: \+0\.1 % \[/);
    const opposition = { found: 'slower', other: 'faster', by: 'estimate', ratio: 0.9 } as const;
    expect(verdictSentence(anUndecided({ ...bySum, opposition }))).toMatch(
      /; slower in sum, faster in most runs \(-10\.0 %\)$/,
    );
    expect(renderReport(aReport([aComparison(bySum)]), wide, figures)).toContain(
      'typical run  -10.0 % [-12.0 % … -8.0 %], 99 % CI,',
    );
  });

  it('says of an undecided comparison what more would bring', () => {
    expect(verdictSentence(anUndecided())).toBe(
      'B vs A: +1.2 % [-0.8 % … +3.3 %], 99 % CI, 12 runs; about 60 more runs (4 min) would decide',
    );
    expect(verdictSentence(anUndecided({ outlook: null }))).toMatch(/12 runs; more runs would narrow it$/);
  });

  it('tells large ratios as times, in both directions', () => {
    expect(verdictSentence(aLargeDifference(2))).toBe(
      'B takes 2.00 times as long as A   [1.99 … 2.01]   99 % CI, 40 runs, sync-duet',
    );
    // 1 / 0.5 = 2; the ends trade places: 1 / 0.5025 = 1.99, 1 / 0.4975 = 2.01
    expect(verdictSentence(aLargeDifference(0.5))).toBe(
      'B is 2.00 times as fast as A   [1.99 … 2.01]   99 % CI, 40 runs, sync-duet',
    );
    expect(verdictSentence(aLargeDifference(1.9))).toMatch(/^B is 90\.0 % slower than A {3}\[\+89\.0 %/);
  });

  it('gives what is far larger as a multiple, and by its least where nothing bounds it', () => {
    const far = { ...aComparison().interval, estimate: 171.54, low: 160, high: 180 };
    expect(verdictSentence(aComparison({ interval: far }))).toBe(
      'B takes 172x as long as A   [160x … 180x]   99 % CI, 40 runs, sync-duet',
    );
    expect(verdictSentence(aComparison({ interval: { ...far, low: 10, high: Number.MAX_VALUE } }))).toBe(
      'B takes more than 10.0x as long as A   99 % CI, 40 runs, sync-duet',
    );
    expect(verdictSentence(anUndecided({ interval: { ...far, estimate: 1.5, low: 0.8, high: 6.21 } }))).toMatch(
      /^B vs A: \+50\.0 % \[-20\.0 % … 6\.2x\]/,
    );
  });

  it('says of the same command twice which slowdown this machine finds, and how often', () => {
    const sides = { A: aSide(), B: aSide() };
    expect(verdictSentence(aDeadHeat({ sides }))).toBe(
      'A vs A: +0.1 % [-0.7 % … +0.9 %], 99 % CI, 40 runs; this machine finds a slowdown of 1.1 % in 4 of 5 experiments',
    );
    expect(verdictSentence(aComparison({ sides }))).toMatch(/^A differs from itself by \+2\.4 %/);
  });

  it('shows more decimals where one would hide that the interval excludes zero', () => {
    const interval = { ...aComparison().interval, estimate: 1.0012, low: 1.0003, high: 1.0021 };
    expect(verdictSentence(aComparison({ interval }))).toMatch(
      /^B is 0\.12 % slower than A {3}\[\+0\.03 % … \+0\.21 %\]/,
    );
  });

  it('shows a level with all its digits', () => {
    const interval = { ...aComparison().interval, level: 0.9999 };
    expect(verdictSentence(aComparison({ interval }))).toContain('99.99 % CI');
  });

  it('never writes a negative zero or a bare plus-minus sign', () => {
    const interval = { ...aComparison().interval, estimate: 0.9999, low: 0.99, high: 1.01 };
    expect(verdictSentence(aDeadHeat({ interval }))).toMatch(/^B vs A: \+0\.0 %/);
    expect(renderReport(aReport(everyVerdict), wide, figures)).not.toContain('±');
  });
});

/** As much as one comparison may have: a long sentence, commands, warnings of every kind, resources and quantities. */
const crowded = anUndecided({
  benchmark: 'sort',
  params: { size: '10', level: 'a|b' },
  methodReason: 'both sides keep one core busy (share of the time: A 1.00, B 0.99)',
  decided: { A: { typical: 12e6, mean: 13e6 }, B: { typical: 14e6, mean: 15e6 } },
  sides: {
    A: aSide({ name: 'old', command: `node ${'bench/'.repeat(20)}main.js --size 10 --one` }),
    B: aSide({ name: 'new', command: `node ${'bench/'.repeat(20)}main.js --size 10 --other` }),
  },
  otherMetrics: [{ ...aComparison().otherMetrics[0]!, metric: 'rss' }],
  quantities: [
    {
      name: 'allocs/op',
      unit: null,
      A: { mean: 2, samples: 8 },
      B: { mean: 3, samples: 8 },
      ratio: { estimate: 1.5, low: 1.3, high: 1.7, level: 0.99 },
      isConstant: true,
      verdict: 'more',
    },
  ],
  warnings: (Object.keys(warningFacts) as Warning['code'][]).map((code) => ({
    code,
    message: `${'something long about it '.repeat(6)}: stop it or wait`,
  })),
});

/** A side that is a version of a command. */
function version(name: string): ReturnType<typeof aSide> {
  return aSide({ name, command: `node bench.js  # ${name}` });
}

describe('one comparison', () => {
  it.each([
    ['slower', aComparison()],
    ['a dead heat', aDeadHeat()],
    ['undecided', anUndecided()],
    ['large', aLargeDifference(171)],
    ['looked at', aWatched()],
    ['on hosts', onHosts()],
    ['the same command', aComparison({ sides: { A: aSide(), B: aSide() } })],
    ['crowded', crowded],
  ])('has ten lines of 80 columns at most: %s', (_, comparison) => {
    for (const complete of [true, false]) {
      const report = aReport([comparison], { warnings: crowded.warnings });
      const experiment = { ...report.experiment, complete };
      const lines = renderReport({ ...report, experiment }, narrow)
        .trimEnd()
        .split('\n');
      expect(lines.length).toBeLessThanOrEqual(10);
      expect(lines.filter(({ length }) => length > 80)).toEqual([]);
    }
  });

  it('has eight lines without warnings', () => {
    const lines = [aComparison(), aDeadHeat(), anUndecided()].map(
      (one) =>
        renderReport(aReport([one]), narrow)
          .trimEnd()
          .split('\n').length,
    );
    expect(Math.max(...lines)).toBeLessThanOrEqual(8);
  });

  it('names a version once, beside the command that both have', () => {
    const [A, B] = [version('main (1a2b3c4)'), version('your files')];
    const rows = (benchmark: string): readonly string[] =>
      renderReport(aReport([aComparison({ benchmark, sides: { A, B } })]), narrow)
        .split('\n')
        .filter((line) => /^[AB] .* ms  /.test(line))
        .map((line) => line.replace(/.* ms  /, ''));
    expect(rows('node bench.js')).toEqual(['main (1a2b3c4)', 'your files']);
    expect(rows('sums')).toEqual(['main (1a2b3c4): node bench.js', 'your files: node bench.js']);
  });

  it('shows everything that a crowded one has in place of its own', () => {
    expectGolden('one-screen.txt', renderReport(aReport([crowded]), narrow));
  });

  it('shows the resources that differ first, and how many have no room', () => {
    const [one] = aComparison().otherMetrics;
    const of = (metric: 'rss' | 'faults' | 'switches', verdict: 'dead-heat' | 'slower') => ({
      ...one!,
      metric,
      verdict,
    });
    const otherMetrics = [of('rss', 'dead-heat'), of('faults', 'dead-heat'), of('switches', 'slower')];
    const text = renderReport(aReport([aComparison({ otherMetrics })]), narrow);
    expect(text).toMatch(/^beside {7}context switches .*: B uses more; 2 more$/m);
  });

  it('has the sides in the metric that its ratio is of', () => {
    const waiting = aComparison({
      metric: 'undelayed',
      sides: { A: aSide({ median: 0.078_24 }), B: aSide({ command: 'b', median: 0.0641 }) },
      decided: { A: { typical: 40e6, mean: 41e6 }, B: { typical: 56e6, mean: 57e6 } },
    });
    const text = renderReport(aReport([waiting]), narrow);
    expect(text).toMatch(/^undelayed +typical +mean/m);
    expect(text).toMatch(/^A +40\.00 ms +41\.00 ms/m);
    expect(text).not.toContain('78.24');
    const many = renderReport(aReport([waiting, { ...waiting, benchmark: 'other' }]), narrow);
    expect(many).toMatch(/^other +40\.00 ms +56\.00 ms +\+2\.4 %/m);
  });

  it('says nothing of noise that takes from both sides alike, unless the verdict is open', () => {
    const warnings = [{ code: 'LOAD', message: 'The load average is 3 on 2 CPUs. Stop it.' }] as const;
    const shown = (comparison: Comparison): boolean =>
      renderReport(aReport([comparison], { warnings: [...warnings] }), narrow).includes('LOAD');
    expect(shown(aComparison({ method: 'tandem' }))).toBe(false);
    expect(shown(anUndecided({ method: 'tandem' }))).toBe(true);
    expect(shown(aComparison({ method: 'sync-duet' }))).toBe(true);
    const full = renderReport(
      aReport([aComparison({ method: 'tandem' })], { warnings: [...warnings] }),
      narrow,
      figures,
    );
    expect(full).toContain('warning LOAD: The load average is 3 on 2 CPUs. Stop it.');
  });

  it('shows of long commands where they differ', () => {
    const text = renderReport(aReport([crowded]), narrow);
    expect(text).toMatch(/^A .*--one$/m);
    expect(text).toMatch(/^B .*--other$/m);
  });
});

describe('a report on a terminal', () => {
  it('puts the words of the verdicts in one column where there is room', () => {
    expectGolden('report-wide.txt', renderReport(aReport(everyVerdict), wide, figures));
  });

  it('leads with the word where the line is too narrow for both', () => {
    const text = renderReport(aReport(everyVerdict), narrow, figures);
    expectGolden('report-80.txt', text);
    expect(text.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  it('fits the narrowest terminal', () => {
    const text = renderReport(aReport([aComparison(), anUndecided()]), { ...plain, width: 50 }, figures);
    expectGolden('report-50.txt', text);
    // The folder of the recording is one word of 36 characters and stays whole.
    expect(text.split('\n').every((line) => line.length <= 50)).toBe(true);
  });

  it('shows a short time beside a long one in a unit that keeps it', () => {
    const sides = { A: aSide({ mean: 0.0012 }), B: aSide({ command: 'b', mean: 12 }) };
    expect(renderReport(aReport([aLargeDifference(10_000, { sides })]), plain)).toMatch(/^B .* 12000 ms  b$/m);
  });

  it('keeps each verdict on one line where there is no terminal', () => {
    expectGolden('report-no-terminal.txt', renderReport(aReport([aComparison(), anUndecided()]), plain, figures));
  });

  it('names the sides and shows a control for the same command twice', () => {
    const sides = { A: aSide({ name: 'old' }), B: aSide({ name: 'old' }) };
    expectGolden(
      'report-self.txt',
      renderReport(aReport([aDeadHeat({ sides }), aComparison({ sides })]), narrow, figures),
    );
  });

  it('shows both intervals and which of them decided where the runs were looked at', () => {
    const early = {
      estimate: 1.5,
      low: 0,
      high: Number.MAX_VALUE,
      level: 0.99,
      kind: 'anytime-t',
      replicates: 0,
    } as const;
    const tooEarly = aWatched({
      interval: early,
      interim: { analyses: 1, reached: false },
      minimalDetectableSlowdown: Number.MAX_VALUE,
      verdict: 'undecided',
      otherMetrics: [],
      outlook: { moreRuns: 4, moreTimeNs: 2e9 },
      runs: 6,
    });
    expectGolden('report-watched.txt', renderReport(aReport([aWatched(), tooEarly]), narrow, figures));
  });

  it('tells warnings with their code once, unknown figures, and what to do with an incomplete recording', () => {
    const steal = {
      code: 'STEAL',
      message: 'The hypervisor took 3.1 % of the time; use a machine of your own.',
    } as const;
    const load = { code: 'LOAD', message: 'Others kept 1.4 cores busy; stop them or wait.' } as const;
    const sides = { A: aSide({ stddev: null, user: null, system: null }), B: aSide({ command: 'b' }) };
    const comparison = aComparison({
      method: 'async-duet',
      metric: 'time',
      sides,
      iterationsPerRun: 10,
      resampled: { unit: 'run', count: 40 },
      pairingGain: null,
      warnings: [steal],
    });
    const report = aReport([comparison], { warnings: [steal, load] });
    const incomplete = { ...report, experiment: { ...report.experiment, complete: false } };
    const text = renderReport(incomplete, narrow, figures);
    expectGolden('report-warnings.txt', text);
    expect(text.match(/STEAL/g)).toHaveLength(1);
  });

  it('says behind the verdict what the gate does not count as it stands', () => {
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
    const judged = { ...report, gate: { ...report.gate, benchmarks } };
    const verdicts = (style: TerminalStyle): readonly string[] =>
      renderReport(judged, style, figures)
        .split('\n')
        .filter((line) => line.includes('B is 2.4 %'))
        .map((line) => line.replaceAll(/ {2,}/g, ' '));
    expect(verdicts({ ...plain, width: 140 })).toEqual([
      expect.stringMatching(/sync-duet SLOWER, not counted$/),
      expect.stringMatching(/sync-duet SLOWER, waived until 2027-01-31$/),
      expect.stringMatching(/sync-duet SLOWER$/),
    ]);
    expect(verdicts({ ...plain, width: 60 })).toEqual([
      expect.stringMatching(/^SLOWER \(not counted\) B is 2\.4 % slower/),
      expect.stringMatching(/^SLOWER \(waived until 2027-01-31\) B is 2\.4 % slower/),
      expect.stringMatching(/^SLOWER B is 2\.4 % slower/),
    ]);
  });

  it('says the same without colour as with it', () => {
    const report = aReport(everyVerdict);
    const colored = renderReport(report, { ...wide, color: true }, figures);
    expect(colored).not.toBe(renderReport(report, wide, figures));
    // oxlint-disable-next-line no-control-regex -- escape sequences are what is looked for
    expect(colored.replaceAll(/\u001b\[\d+m/g, '')).toBe(renderReport(report, wide, figures));
  });

  it('keeps verdict, metric, interval, sensitivity and warnings when the style is none', () => {
    expectGolden('report-quiet.txt', renderReport(aReport([aComparison()]), { ...plain, quiet: true }));
  });

  it('lets no command steer the terminal', () => {
    const sides = { A: aSide({ command: 'printf "\u001b[2J"\nrm x' }), B: aSide() };
    const text = renderReport(aReport([aComparison({ sides })]), plain);
    expect(text).toContain(String.raw`ms  printf "\u{1b}[2J" rm x`);
  });
});
