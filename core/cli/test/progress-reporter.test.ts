import type { EngineEvent } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { createProgressReporter, type ProgressReporter } from '../src/terminal/progress.ts';
import { resolveTerminalStyle, type TerminalStyle } from '../src/terminal/style.ts';
import { started, trialFinished } from './support-events.ts';
import { aComparison, aReport } from '../../report/test/support-report.ts';

const interactive: TerminalStyle = { color: false, interactive: true, width: 80, quiet: false };
const log: TerminalStyle = { color: false, interactive: false, width: null, quiet: false };
const finished: EngineEvent = { kind: 'experiment-finished', directory: 'dir', report: aReport([aComparison()]) };

class FakeTerminal {
  readonly writes: string[] = [];
  ms = 0;
  reporter(style: TerminalStyle): ProgressReporter {
    return createProgressReporter({
      stream: { write: (text) => this.writes.push(text) },
      style,
      now: () => this.ms,
    });
  }
}

describe('progress on a terminal', () => {
  it('draws one line before the first trial, then when trials finish, at most ten times a second', () => {
    const terminal = new FakeTerminal();
    const { handle } = terminal.reporter(interactive);
    handle(started());
    expect(terminal.writes).toEqual(['\r\u001b[2K0 of at least 5 runs, 0 %  gzip -6 f vs gzip -7 f']);
    for (let run = 1; run <= 20; run += 1) {
      terminal.ms += 30;
      handle(trialFinished({ runs: run, expectedRuns: 20, elapsedNs: run * 30e6, share: run / 20 }));
    }
    // 20 trials over 600 ms, drawn at 120, 240, 360, 480 and 600 ms: the first trial at least 100 ms after the last drawing
    expect(terminal.writes).toHaveLength(6);
    expect(terminal.writes[1]).toMatch(
      /4 of 20 runs, 20 %, about 0\.5 s left, so far \+0\.0 % \[\+0\.0 % … \+0\.0 %\] {2}gzip.*…$/,
    );
    expect(terminal.writes.every((text) => text.startsWith('\r\u001b[2K') && !text.includes('\n'))).toBe(true);
  });

  it('erases its line at the end and when it is told to', () => {
    const terminal = new FakeTerminal();
    const { handle, close } = terminal.reporter(interactive);
    close();
    expect(terminal.writes).toEqual([]);
    handle(started());
    handle(trialFinished({}));
    handle(finished);
    expect(terminal.writes.at(-1)).toBe('\r\u001b[2K');
    close();
    expect(terminal.writes).toHaveLength(2);
  });

  it('never fills the last column', () => {
    const terminal = new FakeTerminal();
    const { handle } = terminal.reporter({ ...interactive, width: 40 });
    handle(started());
    terminal.ms += 1000;
    handle(trialFinished({ expectedRuns: null, share: 0.01 }));
    expect(terminal.writes[1]?.slice('\r\u001b[2K'.length)).toBe('3 of at least 5 runs, 1 %  gzip -6 f v…');
    terminal.ms += 1000;
    handle(trialFinished({ runs: 1000, expectedRuns: 2000, share: 0.5, elapsedNs: 4e9 }));
    expect(terminal.writes[2]?.slice('\r\u001b[2K'.length)).toHaveLength(39);
  });
});

describe('progress in a log', () => {
  it('is one line at the start and one at the end', () => {
    const terminal = new FakeTerminal();
    const { handle } = terminal.reporter(log);
    handle(started({ resumedTrials: 7 }));
    handle(trialFinished({}));
    terminal.ms = 12_000;
    handle(trialFinished({}));
    handle(finished);
    expect(terminal.writes).toEqual([
      'deadheat: method auto, seed 1a2b3c4d, recording dir, 7 runs recorded before\n',
      'deadheat: measured in 12 s\n',
    ]);
  });

  it('names every method', () => {
    const terminal = new FakeTerminal();
    const event = started({});
    if (event.kind !== 'experiment-started') throw new Error('another event');
    const { config } = event.experiment;
    const [benchmark] = config.benchmarks;
    const methods = ['tandem', 'sync-duet', 'async-duet'] as const;
    const benchmarks = methods.map((method) => ({ ...benchmark!, own: { method, pilotRuns: 0 } }));
    terminal.reporter(log).handle({ ...event, experiment: { ...event.experiment, config: { ...config, benchmarks } } });
    expect(terminal.writes[0]).toMatch(/^deadheat: 3 comparisons, tandem, sync-duet, async-duet, seed /);
  });

  it('is nothing with the style none', () => {
    const terminal = new FakeTerminal();
    const { handle } = terminal.reporter({ ...log, quiet: true });
    for (const event of [started(), trialFinished({}), finished]) handle(event);
    expect(terminal.writes).toEqual([]);
  });
});

describe('the style of a stream', () => {
  const terminal = { isTTY: true, columns: 100 };
  const style = (
    choice: Parameters<typeof resolveTerminalStyle>[0],
    stream: { isTTY?: boolean; columns?: number },
    variables: Record<string, string> = {},
  ): TerminalStyle => resolveTerminalStyle(choice, { stream, variables });

  it('follows the terminal', () => {
    expect(style('auto', terminal)).toEqual({ color: true, interactive: true, width: 100, quiet: false });
    expect(style('auto', {})).toEqual({ color: false, interactive: false, width: null, quiet: false });
    expect(style('auto', { isTTY: true, columns: 0 }).width).toBe(80);
    expect(style('auto', terminal, { TERM: 'dumb' })).toMatchObject({ color: false, interactive: false });
  });

  it('obeys NO_COLOR, then FORCE_COLOR', () => {
    expect(style('auto', terminal, { NO_COLOR: '1' })).toMatchObject({ color: false, interactive: true });
    expect(style('auto', terminal, { NO_COLOR: '' }).color).toBe(true);
    expect(style('auto', {}, { FORCE_COLOR: '1' })).toMatchObject({ color: true, interactive: false });
    expect(style('auto', terminal, { FORCE_COLOR: '0' }).color).toBe(false);
    expect(style('auto', {}, { FORCE_COLOR: '1', NO_COLOR: '1' }).color).toBe(false);
  });

  it("obeys the user's word before the environment", () => {
    expect(style('full', {}, { NO_COLOR: '1' })).toMatchObject({ color: true, interactive: true });
    expect(style('color', {})).toMatchObject({ color: true, interactive: false });
    expect(style('nocolor', {})).toMatchObject({ color: false, interactive: true });
    expect(style('basic', terminal, { FORCE_COLOR: '1' })).toMatchObject({ color: false, interactive: false });
    expect(style('none', terminal)).toMatchObject({ interactive: false, quiet: true });
  });
});
