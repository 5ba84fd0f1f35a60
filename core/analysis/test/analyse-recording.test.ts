import { reportSchema } from '@deadheat/model';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../src/columns/measured-runs.ts';
import { analyseRecording, reportPoints } from '../src/report/analyse-recording.ts';
import { aBenchmark, aConfig, anExperiment, trialsOf } from './helpers/recordings.ts';
import { at } from '../src/internal/lists.ts';

const times = (ms: number, runs: number): number[][] =>
  Array.from({ length: runs }, (_, run) => [(ms + run / 10) * 1e6]);

const benchmarks = [
  aBenchmark({ params: { size: '1' } }),
  aBenchmark({ params: { size: '2' } }),
  aBenchmark({ name: 'cut short' }),
];
const trials = [
  ...trialsOf(times(10, 20), times(12, 20)),
  ...trialsOf(times(10, 20), times(10, 20), { changes: { benchmark: 1 } }),
  ...trialsOf(times(10, 1), times(10, 1), { changes: { benchmark: 2 } }),
];
const load = { code: 'LOAD', message: 'others keep the machine busy; wait until they are done' } as const;
const late = { code: 'INTERRUPTED', message: 'interrupted; --resume goes on' } as const;
const input = {
  experiment: { ...anExperiment(aConfig({ benchmarks })), warnings: [load] },
  measured: benchmarks.map((benchmark, index) => ({
    benchmark,
    runs: measuredRuns(trials.filter((trial) => trial.benchmark === index)),
  })),
  directory: '.deadheat/example',
  complete: false,
  warnings: [load, late],
  today: '2026-02-03',
};

describe('the points of a benchmark', () => {
  const pointsOf = (runs: number) => {
    const benchmark = aBenchmark();
    const measured = measuredRuns(trialsOf(times(10, runs), times(10, runs)));
    return reportPoints({ runs: measured, benchmark, config: aConfig({ benchmarks: [benchmark] }), segments: false });
  };

  it('are of every run, or of very many of one in so many', () => {
    const few = pointsOf(50);
    expect([few.each, few.runs.length]).toEqual([1, 50]);
    const { each, runs } = pointsOf(50_002);
    expect(each).toBe(6);
    expect(runs).toHaveLength(8334);
    expect(runs.slice(0, 3).map(({ run }) => run)).toEqual([0, 6, 12]);
  });
});

describe('the report of a recording', () => {
  const report = analyseRecording(input);

  it('is complete by the schema and survives JSON', () => {
    expect(reportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
  });

  it('compares every benchmark with its own trials', () => {
    expect(report.comparisons.map(({ params, verdict }) => [params['size'], verdict])).toEqual([
      ['1', 'slower'],
      ['2', 'dead-heat'],
    ]);
  });

  it('does not pass a gate by leaving out a benchmark with too few runs', () => {
    const [, equal, cutShort] = input.measured;
    const { gate } = analyseRecording({ ...input, measured: [equal!, cutShort!] });
    expect(gate.benchmarks.map(({ benchmark, outcome }) => [benchmark, outcome])).toEqual([
      ['loop', 'passed'],
      ['cut short', 'not-measured'],
    ]);
    expect(gate.outcome).toBe('not-measured');
  });

  it('leaves out a benchmark with too few runs and says so, each warning once', () => {
    expect(report.warnings.map(({ code }) => code)).toEqual(['LOAD', 'INTERRUPTED', 'FEW_RUNS']);
    expect(at(report.warnings, 2).message).toContain('cut short: 1 usable runs');
  });

  it('holds a result a side in the shape of hyperfine', () => {
    expect(report.results).toHaveLength(4);
    const { A } = at(report.comparisons, 0).sides;
    expect(report.results[0]).toEqual({
      command: 'old',
      mean: A.mean,
      stddev: A.stddev,
      median: A.median,
      user: null,
      system: null,
      min: A.min,
      max: A.max,
      times: A.times,
      exit_codes: A.times.map(() => 0),
      parameters: { size: '1' },
    });
  });

  it('says what it is a report of', () => {
    expect(report.experiment).toEqual({
      id: '20260101T000000Z-example',
      name: 'example',
      startedAt: '2026-01-01T00:00:00.000Z',
      seed: '1',
      method: 'sync-duet',
      confidence: 0.99,
      margin: 0,
      recording: '.deadheat/example',
      complete: false,
    });
  });

  it('is the same every time', () => {
    expect(analyseRecording(input)).toEqual(report);
  });

  it('has no verdict of a benchmark that was interrupted after four runs, nor passes or fails a gate by it', () => {
    const after = (runs: number, complete = false) => {
      const benchmark = aBenchmark();
      const trials = measuredRuns(trialsOf(times(20, runs), times(22, runs)));
      return analyseRecording({ ...input, complete, measured: [{ benchmark, runs: trials }] });
    };
    const few = after(4);
    expect(few.comparisons[0]).toMatchObject({ verdict: 'undecided', pValues: { slower: 1 }, outlook: null });
    expect(few.comparisons[0]?.warnings.at(-1)?.message).toContain('ended before its plan, after 4 runs');
    expect(few.gate.outcome).toBe('not-measured');
    const open = {
      ...input,
      measured: [{ benchmark: aBenchmark(), runs: measuredRuns(trialsOf(times(20, 4), times(20, 4))) }],
    };
    expect(analyseRecording(open).gate.outcome).toBe('not-measured');
    expect(analyseRecording({ ...open, complete: true }).gate.outcome).toBe('passed');
    expect(after(5).comparisons[0]?.verdict).toBe('slower');
    expect(after(4, true).comparisons[0]?.verdict).toBe('slower');
  });
});
