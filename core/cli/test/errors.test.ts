import { DeadheatError } from '@deadheat/model';
import { CommandError } from '../../deadheat/src/errors/command-error.ts';
import { createExcerpt, renderExcerpt, UsageError } from 'deadheat/settings';
import { describe, expect, it } from 'vitest';
import { explainError } from '../src/errors/explain-error.ts';
import { exitCodeOfReport } from '../src/experiment/finish.ts';
import { aComparison, aDeadHeat, anUndecided, aReport } from '../../report/test/support-report.ts';

class CodedError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

describe('an error at the command line', () => {
  it.each([
    ['NOT_WRITABLE', 2],
    ['RECORDING_IN_USE', 2],
    ['NEWER_VERSION', 2],
    ['CPU_NOT_FOUND', 2],
    ['DISK_FULL', 4],
    ['EXIT_STATUS', 4],
    ['TIMEOUT', 4],
    ['CONTROL_FIRED', 5],
    ['TIME_LIMIT', 124],
    ['INTERRUPTED', 130],
  ])('with the code %s exits %i and shows its own message only', (code, exitCode) => {
    expect(explainError(new CodedError(code, 'what, why, what next'))).toEqual({
      message: 'deadheat: what, why, what next',
      exitCode,
    });
  });

  it('of usage exits 2, of a command 4, each with its hint', () => {
    const usage = new UsageError('CONFLICT', 'no', { hint: 'Do this.' });
    expect(explainError(usage)).toEqual({ message: 'deadheat: no\nDo this.', exitCode: 2 });
    const command = new CommandError('COMMAND_NOT_FOUND', 'x', { side: 'A', word: 'x', hint: 'Do that.' });
    expect(explainError(command)).toEqual({ message: 'deadheat: x\nDo that.', exitCode: 4 });
  });

  it('of the library gets the options that help, unless it says itself what does', () => {
    const message = 'Two tandems need two cores.';
    expect(explainError(new DeadheatError('TOO_MANY_LANES', message)).message).toBe(
      `deadheat: ${message}\nThe option --lanes N sets the number of tandems; without it deadheat chooses.`,
    );
    const own = new DeadheatError('MALFORMED', 'the ledger is torn.', { hint: 'Put the line back.' });
    expect(explainError(own).message).toBe('deadheat: the ledger is torn.\nPut the line back.');
  });

  it('that nobody expected shows its stack only with DEADHEAT_DEBUG=1', () => {
    const error = new TypeError('undefined is not a function');
    expect(explainError(error).message).toBe(
      'deadheat: unexpected error: undefined is not a function\nSet DEADHEAT_DEBUG=1 to see where, and please report it.',
    );
    expect(explainError(error, { DEADHEAT_DEBUG: '1' }).message).toContain('errors.test.ts');
    expect(explainError('a string')).toMatchObject({ exitCode: 4 });
  });

  it("of Node's own or of the system is unexpected", () => {
    const system = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', errno: -2 });
    expect(explainError(system).message).toMatch(/^deadheat: unexpected error: ENOENT/);
    const node = Object.assign(new Error('bad'), { code: 'ERR_INVALID_ARG_TYPE' });
    expect(explainError(node).message).toMatch(/^deadheat: unexpected error: bad/);
  });
});

describe('an excerpt', () => {
  it('quotes words as a shell needs them and moves the caret with them', () => {
    expect(renderExcerpt(createExcerpt(['deadheat', 'a b', "it's"], { at: 2, offset: 1 }))).toBe(
      ["  deadheat 'a b' 'it'\\''s'", `${' '.repeat(19)}^`].join('\n'),
    );
  });
});

describe('the exit code of a report', () => {
  const asked = { failOn: 'slower', undecided: 'fail', limits: [] } as const;
  const notAsked = { ...asked, failOn: null };
  const make = { slower: aComparison, 'dead-heat': aDeadHeat, undecided: anUndecided };
  type Options = Parameters<typeof exitCodeOfReport>[1];
  const code = (verdicts: readonly (keyof typeof make)[], options: Options): number =>
    exitCodeOfReport(aReport(verdicts.map((verdict) => make[verdict]())), options);

  it('is 0 where no gate was asked for, and where it passes', () => {
    expect(code(['slower', 'undecided'], notAsked)).toBe(0);
    expect(code(['dead-heat'], asked)).toBe(0);
  });

  it('is 6 where a slowdown was neither shown nor excluded, unless something is slower', () => {
    expect(code(['undecided', 'dead-heat'], asked)).toBe(6);
    expect(code(['undecided', 'slower'], asked)).toBe(1);
    const { excluded } = aReport([anUndecided()]).gate.benchmarks[0]!;
    expect(code(['undecided'], { ...asked, undecided: 'pass' })).toBe(0);
    expect(code(['undecided'], { ...asked, undecided: excluded.slower + 1e-9 })).toBe(0);
    expect(code(['undecided'], { ...asked, undecided: excluded.slower - 1e-9 })).toBe(6);
    expect(code(['undecided', 'slower'], { ...asked, undecided: 'pass' })).toBe(1);
  });

  it('is that of a gate against what is faster, or has changed', () => {
    const faster = aDeadHeat({ pValues: { slower: 1, faster: 0, least: 0, gate: { slower: 1, faster: 0 } } });
    expect(exitCodeOfReport(aReport([faster]), asked)).toBe(0);
    expect(exitCodeOfReport(aReport([faster]), { ...asked, failOn: 'faster' })).toBe(1);
    expect(exitCodeOfReport(aReport([faster]), { ...asked, failOn: 'changed' })).toBe(1);
    expect(code(['slower'], { ...asked, failOn: 'faster' })).toBe(0);
    expect(code(['slower'], { ...asked, failOn: 'changed' })).toBe(1);
    const open = aDeadHeat({ bounds: { low: 0.9, high: 1.01 } });
    expect(exitCodeOfReport(aReport([open]), asked)).toBe(0);
    expect(exitCodeOfReport(aReport([open]), { ...asked, failOn: 'changed' })).toBe(6);
  });

  it('is 0 of a layout-proof gate, and of a limit of time, where the difference may be one of layout alone', () => {
    const warnings = [{ code: 'LAYOUT_SUSPECTED', message: 'the same instructions' }] as const;
    const suspected = aReport([aComparison({ warnings: [...warnings] })]);
    const layoutProof = true;
    const limits = [{ metric: 'time', share: 0.001 }] as const;
    const codes = (report: typeof suspected): number[] =>
      [asked, { ...asked, layoutProof }, { ...notAsked, limits }, { ...notAsked, limits, layoutProof }].map((options) =>
        exitCodeOfReport(report, options),
      );
    expect(codes(suspected)).toEqual([1, 0, 1, 0]);
    expect(codes(aReport([aComparison()]))).toEqual([1, 1, 1, 1]);
  });

  it('is 5 when A differed from itself, whatever was asked', () => {
    const control = aComparison({ controlOf: 'sort' });
    for (const options of [asked, notAsked])
      expect(exitCodeOfReport(aReport([aComparison(), control]), options)).toBe(5);
    const calm = aDeadHeat({ controlOf: 'sort' });
    expect(exitCodeOfReport(aReport([aComparison(), calm]), asked)).toBe(1);
    expect(exitCodeOfReport(aReport([aDeadHeat(), anUndecided({ controlOf: 'sort' })]), asked)).toBe(0);
  });

  it('is 1 when the interval of a limited metric lies above the limit, 6 when a part of it does or it is not known', () => {
    const rss = (low: number) =>
      aDeadHeat({
        otherMetrics: [
          {
            metric: 'rss',
            interval: { estimate: 1.08, low, high: 1.1, level: 0.99, kind: 't', replicates: 0 },
            fixedInterval: null,
            verdict: 'slower',
          },
        ],
      });
    const limited = (share: number) => ({ ...notAsked, limits: [{ metric: 'rss' as const, share }] });
    const options = limited(0.05);
    expect(exitCodeOfReport(aReport([rss(1.06)]), options)).toBe(1);
    expect(exitCodeOfReport(aReport([rss(1.04)]), options)).toBe(6);
    expect(exitCodeOfReport(aReport([rss(1.04)]), { ...options, undecided: 'pass' })).toBe(0);
    expect(exitCodeOfReport(aReport([rss(1.04)]), { ...options, undecided: 0.11 })).toBe(0);
    expect(exitCodeOfReport(aReport([rss(1.04)]), limited(0.11))).toBe(0);
    expect(exitCodeOfReport(aReport([rss(1.04), rss(1.06)]), options)).toBe(1);
    expect(exitCodeOfReport(aReport([rss(1.04), aDeadHeat()]), limited(0.11))).toBe(6);
    const refused = aDeadHeat({ bounds: { low: 0, high: Number.MAX_VALUE } });
    expect(exitCodeOfReport(aReport([refused]), { ...notAsked, limits: [{ metric: 'time', share: 0.5 }] })).toBe(6);
    // The metric that decides, too.
    const decides = {
      ...rss(1.06),
      metric: 'rss' as const,
      otherMetrics: [],
      interval: rss(1.06).otherMetrics[0]!.interval,
    };
    expect(exitCodeOfReport(aReport([decides]), options)).toBe(1);
    expect(exitCodeOfReport(aReport([decides]), limited(0.11))).toBe(0);
    // A limit of time is for the time that decides.
    const comparison = aComparison();
    const { low, high } = comparison.interval;
    const time = (share: number) => ({ ...notAsked, limits: [{ metric: 'time' as const, share }] });
    expect(exitCodeOfReport(aReport([comparison]), time(low - 1.001))).toBe(1);
    expect(exitCodeOfReport(aReport([comparison]), time(high - 0.999))).toBe(0);
  });

  it('is 4 when a gate was asked for and nothing was compared', () => {
    expect(exitCodeOfReport(aReport([]), asked)).toBe(4);
    expect(exitCodeOfReport(aReport([]), { ...notAsked, limits: [{ metric: 'rss', share: 0.1 }] })).toBe(4);
    expect(exitCodeOfReport(aReport([]), notAsked)).toBe(0);
  });

  it('is 6 for what is slower only by itself among many: that was not measured', () => {
    const many = Array.from({ length: 20 }, () => aDeadHeat());
    const barely = aComparison({
      pValues: { slower: 0.004, faster: 0.996, least: 0, gate: { slower: 0.004, faster: 0.996 } },
    });
    expect(exitCodeOfReport(aReport([barely]), asked)).toBe(1);
    expect(exitCodeOfReport(aReport([barely, ...many]), asked)).toBe(6);
  });
});
