import { rmSync, writeFileSync } from 'node:fs';
import type { Report } from '@deadheat/model';
import { hasNativeCalls } from '@deadheat/sync';
import { describe, expect, it } from 'vitest';
import { parseReport, useScene } from './support.ts';

/** Records iterations of about 10 µs that it makes up: `node made-up.mjs KIND ITERATIONS`. */
const madeUp = `
  import { appendFileSync } from 'node:fs';
  const [, , kind, length] = process.argv;
  const [count, run] = [Number(length), Number(process.env.DEADHEAT_RUN)];
  const noise = (i) => 0.01 * Math.sin(12.9898 * (i + 1) * (run + 3));
  const level = {
    steady: (i) => 1 + noise(i),
    leak: (i) => 1 + noise(i) + 0.004 * i,
    equal: () => 1,
    first: (i) => 1 + noise(i) + (run === 2 && i < 2 ? 2 + i / 10 : 0),
    last: (i) => 1 + noise(i) + (run === 2 && i >= count - 2 ? 2 + (count - i) / 10 : 0),
    'warm-up': (i) => 1 + noise(i) + (i < 40 ? 1 : 0),
  }[kind];
  let at = process.hrtime.bigint();
  const lines = ['{"deadheat":1,"benchmark":"made-up"}'];
  for (let i = 0; i < count; i++) {
    const end = at + BigInt(Math.round(1e4 * level(i)));
    lines.push(JSON.stringify({ i, s: Number(at), e: Number(end) }));
    at = end;
  }
  while (process.hrtime.bigint() < at);
  appendFileSync(process.env.DEADHEAT_RECORD, lines.join('\\n') + '\\n');
`;

const why = hasNativeCalls() ? '' : ' (skipped: the C library cannot be called here)';

describe.skipIf(why !== '')(`segments of a recording${why}`, () => {
  const scene = useScene();

  /** What `analyse --segments` says of made-up sides A and B (steady where not told). */
  const analysed = async (
    a: string,
    { b = 'steady', runs = 4, iterations = 40, window = 20 } = {},
  ): Promise<{ readonly text: string; readonly report: Report }> => {
    writeFileSync(scene.path('made-up.mjs'), madeUp);
    rmSync(scene.path('recording'), { recursive: true, force: true });
    const command = (kind: string): string => `${process.execPath} ${scene.path('made-up.mjs')} ${kind} ${iterations}`;
    const options = ['--runs', `${runs}`, '--warmup-iterations', '0', '--seed', '1', '--output', 'recording'];
    const measured = await scene.run(['--harness', '--method', 'sequential', ...options, command(a), command(b)]);
    expect(measured.stderr).not.toMatch(/^deadheat: [AB] /m);
    const words = [
      'analyse',
      '--details',
      '--segments',
      '--steady-window',
      `${window}`,
      '--export',
      'json:-',
      'recording',
    ];
    const { stdout, stderr, status } = await scene.run(words);
    expect(status).toBe(0);
    return { text: stderr, report: parseReport(stdout) };
  };

  /** The warnings of a code that name side A. */
  const warningsOfA = ({ comparisons, warnings }: Report, code: string): readonly string[] =>
    [...comparisons.flatMap((comparison) => comparison.warnings), ...warnings]
      .filter((warning) => warning.code === code)
      .map(({ message }) => message)
      .filter((message) => /segments of A[,:]/.test(message));

  it('tells which runs reach a steady state, in text and JSON', async () => {
    const { text, report } = await analysed('warm-up', { iterations: 200, window: 100 });
    expect(report.steadyStates?.window).toBe(100);
    expect(report.steadyStates?.benchmarks).toMatchObject([
      { name: 'made-up A', runs: 4, repetitions: 200, steadyFrom: 40, class: 'warm-up', shares: { 'warm-up': 1 } },
      { name: 'made-up B', runs: 4, repetitions: 200, steadyFrom: 0, class: 'flat', shares: { flat: 1 } },
    ]);
    expect(text).toMatch(/^made-up A +4 +200 +40 +0 % +100 % +0 % +0 % +warm-up$/m);
    expect(text).toContain('nothing differs in the last 100 repetitions');
    const [warning] = warningsOfA(report, 'WARM_UP_INCLUDED');
    expect(warning).toMatch(/4 of 4 runs were still warming up .* --warmup-iterations 40 to leave them out$/);
  });

  it.each([
    ['a trend', 'TREND', 'leak', {}, /values rise .* by (39|40)\.\d ns an iteration .* compare runs of equal length$/],
    ['one run', 'ONE_RUN', 'steady', { runs: 1 }, /\(--runs 10\)$/],
    ['three measurements', 'FEW_MEASUREMENTS', 'steady', { iterations: 3 }, /make runs longer \(--iterations\)$/],
    ['equal measurements', 'ALL_EQUAL', 'equal', {}, /put more work into one iteration$/],
    ['a change at the first point', 'CHANGE_AT_EDGE', 'first', { iterations: 20 }, /run 3 changed .* \(--penalty\)$/],
    ['a change at the last point', 'CHANGE_AT_EDGE', 'last', { iterations: 20 }, /run 3 changed .* \(--penalty\)$/],
  ] as const)('warns of %s, and says what to do', async (_, code, kind, options, words) => {
    const { text, report } = await analysed(kind, options);
    const warnings = warningsOfA(report, code);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(words);
    expect(text).toContain(`warning ${code}: `);
  });

  it('warns of nothing where runs are steady', async () => {
    const { report } = await analysed('steady');
    const codes = report.comparisons.flatMap(({ warnings }) => warnings.map(({ code }) => code));
    expect(codes.filter((code) => /TREND|ONE_RUN|FEW_MEASUREMENTS|ALL_EQUAL|EDGE|WARM_UP/.test(code))).toEqual([]);
  });
});
