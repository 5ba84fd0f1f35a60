import { createRandom } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { at } from '../../../../core/analysis/src/internal/lists.ts';
import { accuracyStudy } from '../../src/study/accuracy-study.ts';
import { asymmetryStudy } from '../../src/study/asymmetry-study.ts';
import { mdsStudy } from '../../src/study/mds-study.ts';
import { overlapStudy } from '../../src/study/overlap-study.ts';
import { ratioStudy } from '../../src/study/ratio-study.ts';
import type { Study } from '../../src/study/study.ts';
import { aSide, aTrial, iterationsOf, trialsOf } from '../../../../core/analysis/test/helpers/recordings.ts';
import { column, itself, spansOf, studied } from './study-support.ts';

const options = { seed: 'study' };
const notesOf = ({ tables }: Study): string => tables.flatMap(({ notes }) => notes).join('\n');

/** Every row fits its columns, and numbers stand where the unit is one. */
const expectTables = ({ tables }: Study): void => {
  for (const { columns, rows, title, source } of tables) {
    expect(title).not.toBe('');
    expect(source).not.toBe('');
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length);
    for (const row of rows) {
      expect(row).toHaveLength(columns.length);
      for (const [place, cell] of row.entries()) {
        if (cell !== null) expect(typeof cell).toBe(at(columns, place).unit === 'text' ? 'string' : 'number');
      }
    }
  }
};

describe('the study of accuracy', () => {
  // The mean of two draws of B is 100, 102 or 104, each extreme in a quarter of the replicates: widths 0.04 and 4 / 101.
  const duet = studied('sync-duet', trialsOf([[100], [100]], [[100], [104]]));
  const sequential = studied(
    'sequential',
    trialsOf(
      [
        [100, 7],
        [100, 7],
        [900, 7],
      ],
      [
        [100, 7],
        [104, 7],
        [900, 7],
      ],
    ),
  );

  it('compares widths at the same numbers of runs and iterations', () => {
    const study = accuracyStudy([duet, sequential], options);
    expectTables(study);
    const [widths, means] = study.tables;
    expect(column(widths, 'metric')).toEqual(['wall']);
    expect(column(widths, 'runs')).toEqual([2]);
    expect(column(widths, 'iterations a run')).toEqual([1]);
    expect(column(widths, 'duet')[0]).toBeCloseTo(0.04, 12);
    expect(column(widths, 'standard')[0]).toBeCloseTo(4 / 101, 12);
    expect(column(widths, 'standard / duet')[0]).toBeCloseTo(100 / 101, 12);
    // A does not vary; B: 100 and 104, a standard deviation of sqrt 8 around 102. The mean of the two.
    expect(column(widths, 'CV duet')[0]).toBeCloseTo(Math.sqrt(8) / 102 / 2, 12);
    expect(column(means, 'duet')[0]).toBeCloseTo(100 / 101, 12);
    expect(column(means, 'benchmarks')).toEqual([1]);
    // Figure 3: every sample, of a duet by its sides.
    const samples = study.figures?.find((figure) => figure.name === 'icpe20-figure-3-samples-loop');
    expect(samples?.series.map((one) => [one.name, one.values.length])).toEqual([
      ['duet A', 2],
      ['duet B', 2],
      ['standard', 6],
    ]);
    expect(samples?.series[1]?.values).toEqual([100 / 102, 104 / 102]);
    expect(samples?.series[1]?.x).toEqual([0.25, 0.75]);
    // Figure 1: times of the standard method over their own mean.
    const { values = [], name } = study.figures?.[0]?.series[0] ?? {};
    expect(name).toBe('loop');
    expect(values.length).toBeGreaterThan(2);
    expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(1, 12);
  });

  it('draws as many runs as it is told to, the same for the same seed', () => {
    const many = studied(
      'sync-duet',
      trialsOf(Array(8).fill([100]), [[100], [101], [102], [103], [104], [105], [106], [107]]),
    );
    const widthOf = (sampleRuns: number, seed: string) => {
      const [widths] = accuracyStudy([many], { seed, sampleRuns }).tables;
      expect(column(widths, 'runs')).toEqual([Math.min(8, sampleRuns)]);
      return column(widths, 'duet')[0];
    };
    expect(widthOf(3, 'a')).toBe(widthOf(3, 'a'));
    expect(new Set(['a', 'b', 'c', 'd', 'e'].map((seed) => widthOf(2, seed))).size).toBeGreaterThan(1);
    widthOf(20, 'a');
  });

  it('says what is missing and what to run', () => {
    const study = accuracyStudy([duet], options);
    expectTables(study);
    expect(column(study.tables[0], 'standard')).toEqual([null]);
    expect(column(study.tables[0], 'duet')[0]).toBeCloseTo(0.04, 12);
    expect(study.tables).toHaveLength(1);
    expect(study.figures?.[0]?.series).toEqual([]);
    expect(notesOf(study)).toMatch(/fewer than 2 usable runs of sequential: loop; .*--method sequential/);
    expect(notesOf(study)).not.toContain('usable runs of sync-duet');
  });

  it('says that it is meant for A/A runs', () => {
    const different = studied('sync-duet', trialsOf([[100], [100]], [[100], [104]]), {});
    expect(notesOf(accuracyStudy([different], options))).toContain('the sides differ: loop');
    expect(notesOf(accuracyStudy([duet], options))).not.toContain('the sides differ');
  });

  it('has a row for CPU time where that was measured, and keeps benchmarks by their parameters apart', () => {
    const measured = ['1', '2'].map((size) =>
      studied('sync-duet', trialsOf([[100], [100]], [[100], [104]], { cpu: { A: 0.5, B: 0.5 } }), {
        ...itself,
        params: { size },
      }),
    );
    const [widths] = accuracyStudy(measured, options).tables;
    expect(column(widths, 'benchmark')).toEqual(['loop size=1', 'loop size=1', 'loop size=2', 'loop size=2']);
    expect(column(widths, 'metric')).toEqual(['wall', 'cpu', 'wall', 'cpu']);
    expect(column(widths, 'duet')[1]).toBeCloseTo(0.04, 12);
  });

  it('has a tandem beside them, by CPU time alone', () => {
    const cpu = { cpu: { A: 1, B: 1 } };
    // As the duet above, but a quarter as far: the mean of two draws of B is 100, 100.5 or 101.
    const tandem = studied('tandem', trialsOf([[100], [100]], [[100], [101]], cpu));
    const alone = studied('sequential', trialsOf([[100], [100]], [[100], [104]], cpu));
    const study = accuracyStudy([tandem, alone], options);
    expectTables(study);
    const [widths, means] = study.tables;
    expect(widths?.title).toContain('tandem : duet');
    expect(column(widths, 'metric')).toEqual(['wall', 'cpu']);
    const [wall, ofCpu] = column(widths, 'tandem');
    expect(wall).toBeNull();
    expect(ofCpu).toBeCloseTo(0.01, 12);
    expect(column(widths, 'duet')).toEqual([null, null]);
    expect(column(widths, 'standard')[1]).toBeCloseTo(4 / 101, 12);
    const narrower = column(widths, 'standard / tandem')[1];
    expect(narrower).toBeCloseTo(Number(column(widths, 'standard')[1]) / 0.01, 9);
    expect(column(means, 'metric')).toEqual(['cpu']);
    expect(column(means, 'tandem')[0]).toBeCloseTo(Number(narrower), 9);
    expect(column(means, 'benchmarks')).toEqual([0]);
    expect(notesOf(study)).toContain('usable runs of sync-duet');
    expect(notesOf(study)).not.toContain('usable runs of tandem');
    // Where nobody measured one, nothing is said of it.
    const without = accuracyStudy([duet, sequential], options);
    expect(without.tables.flatMap(({ columns }) => columns.map(({ name }) => name)).join(' ')).not.toContain('tandem');
    expect(notesOf(without)).not.toContain('tandem');
    const other = { ...itself, name: 'other' };
    const one = accuracyStudy(
      [tandem, studied('sequential', trialsOf([[100], [100]], [[100], [104]]), other)],
      options,
    );
    expect(notesOf(one)).toMatch(/usable runs of tandem: other/);
  });

  it('is the same every time', () => {
    expect(accuracyStudy([duet, sequential], options)).toEqual(accuracyStudy([duet, sequential], options));
  });

  it('takes what several recordings have of one benchmark as one set of runs', () => {
    expect(column(accuracyStudy([duet, duet], options).tables[0], 'runs')).toEqual([4]);
  });
});

describe('the study of known ratios', () => {
  const twice = { params: { ratio: '2' } };
  // Geometric means of runs 1.6 and 2.5: sqrt(1.6 * 2.5) = 2. Drawn twice the lowest is 1.6 and the highest 2.5.
  const duet = studied('sync-duet', trialsOf([[100], [100]], [[160], [250]]), twice);
  const alone = studied('sequential', trialsOf([[50], [50]], [[100], [104]]), twice);

  it('sets what is measured beside what is known, with the bound where the shorter side stops', () => {
    const study = ratioStudy([duet, alone], options);
    expectTables(study);
    const [table] = study.tables;
    expect(column(table, 'method')).toEqual(['sync-duet', 'sequential']);
    expect(column(table, 'known')).toEqual([2, 2]);
    const [ofDuet, ofAlone] = column(table, 'measured');
    expect(ofDuet).toBeCloseTo(2, 12);
    expect(ofAlone).toBeCloseTo(102 / 50, 12);
    const [low] = column(table, 'at least');
    const [high] = column(table, 'at most');
    expect(low).toBeCloseTo(1.6, 12);
    expect(high).toBeCloseTo(2.5, 12);
    expect(column(table, 'off by')[1]).toBeCloseTo(0.02, 12);
    // A takes 100 beside B and 50 alone, so that c = 2: (2 + 1) / 2.
    expect(column(table, 'bound')).toEqual([1.5, null]);
    expect(study.figures?.[0]).toMatchObject({ name: 'icpe20-figure-6-ratios' });
    expect(study.figures?.[0]?.series[0]?.values[1]).toBeCloseTo(2.5, 12);
  });

  it('has no bound where the shorter side works on, and says where nobody tells the ratio', () => {
    const filled = { ...duet, config: { ...duet.config, fill: true } };
    expect(column(ratioStudy([filled, alone], options).tables[0], 'bound')).toEqual([null, null]);
    const untold = ratioStudy([studied('sync-duet', trialsOf([[100], [100]], [[160], [250]]), {})], options);
    expect(column(untold.tables[0], 'known')).toEqual([null]);
    expect(column(untold.tables[0], 'off by')).toEqual([null]);
    expect(notesOf(untold)).toContain('no parameter ratio');
    expect(notesOf(untold)).toContain('usable runs of sequential');
  });

  it('knows which side is the shorter one', () => {
    const half = { params: { ratio: '0.5' } };
    const study = ratioStudy(
      [
        studied('sync-duet', trialsOf([[160], [250]], [[100], [100]]), half),
        studied('sequential', trialsOf([[100], [104]], [[50], [50]]), half),
      ],
      options,
    );
    expect(column(study.tables[0], 'bound')[0]).toBeCloseTo(1 / 1.5, 12);
  });
});

describe('the study of overlaps', () => {
  // A 0-10 and 10-20; B 2-12 and 12-22, twice. Overlaps 8, 2 and 8: rates 0.8, 0.2, 0.8. Above 0.4: 2 * 16 of 40.
  const run = [
    [
      [0, 10],
      [10, 20],
    ],
    [
      [2, 12],
      [12, 22],
    ],
  ] as const;
  const duet = studied('async-duet', spansOf([run, run]));

  it('counts pairs, their rates and the time they fill', () => {
    const study = overlapStudy([duet]);
    expectTables(study);
    const [pairs, rates, savings] = study.tables;
    expect(pairs?.rows[0]?.slice(0, 7)).toEqual(['loop', 2, 4, 4, 0.4, 4, 0]);
    expect(column(pairs, 'relative overlap time')[0]).toBeCloseTo(32 / 40, 12);
    expect(column(pairs, 'rate 50 %')[0]).toBeCloseTo(0.8, 12);
    expect(column(pairs, 'rate 10 %')[0]).toBeCloseTo(0.2, 12);
    expect(column(rates, 'above 0')[0]).toBeCloseTo(36 / 40, 12);
    expect(column(rates, 'above 0.2')[0]).toBeCloseTo(32 / 40, 12);
    expect(column(rates, 'above 0.9')[0]).toBe(0);
    expect(savings?.rows).toEqual([]);
    expect(notesOf(study)).toContain('--method sequential');
  });

  it('tells what running both sides at once saves', () => {
    // Sequential 10 + 10 a run; duet from 0 to 12.5.
    const together = [[[0, 12]], [[0.5, 12.5]]] as const;
    const apart = [[[0, 10]], [[11, 21]]] as const;
    const study = overlapStudy([
      studied('async-duet', spansOf([together, together])),
      studied('sequential', spansOf([apart, apart])),
    ]);
    const savings = study.tables[2];
    expect(column(savings, 'speedup')[0]).toBeCloseTo(1.6, 12);
    expect(column(savings, 'saved')[0]).toBeCloseTo(0.375, 12);
    expect(notesOf(study)).not.toContain('--method sequential');
  });

  it('compares by the iteration where the methods make a different number in a run', () => {
    // Sequential as above, 20 for an iteration of both sides; the duet makes two iterations in 25.
    const two = [
      [
        [0, 12],
        [12, 25],
      ],
      [
        [0, 12],
        [12, 24],
      ],
    ] as const;
    const apart = [[[0, 10]], [[11, 21]]] as const;
    const study = overlapStudy([
      studied('async-duet', spansOf([two, two])),
      studied('sequential', spansOf([apart, apart])),
    ]);
    expect(column(study.tables[2], 'speedup')[0]).toBeCloseTo(1.6, 12);
  });

  it('says where there is no asynchronous duet', () => {
    const study = overlapStudy([studied('sync-duet', trialsOf([[100], [100]], [[100], [104]]))]);
    expect(study.tables[0]?.rows).toEqual([]);
    expect(notesOf(study)).toMatch(/usable runs of async-duet: loop; .*--method async-duet/);
  });
});

describe('the study of detectable slowdowns', () => {
  const quick = { ...options, sets: 20, splits: 20, replicates: 200, slowdowns: [0, 0.01, 0.05] };
  const steady = Array.from({ length: 8 }, () => [1e6]);

  it('sees any slowdown, and nothing else, where nothing varies', () => {
    const study = mdsStudy([studied('sync-duet', trialsOf(steady, steady))], quick);
    expectTables(study);
    const [summary, curve, benchmarks] = study.tables;
    expect(column(summary, 'test')).toEqual(['interval', 'Mann-Whitney']);
    expect(column(summary, 'detectable slowdown')).toEqual([0.01, 0.01]);
    expect(column(summary, 'false alarms')).toEqual([0, 0]);
    expect(curve?.rows.map((row) => row.slice(3))).toEqual([
      [0, 1, 1],
      [0, 1, 1],
    ]);
    expect(benchmarks?.rows).toEqual([
      ['sync-duet', 'interval', 1, 1, 0, 0],
      ['sync-duet', 'Mann-Whitney', 1, 1, 0, 0],
    ]);
  });

  it('finds what pairs gain: both sides vary together by 10 %, each by 0.1 % of its own', () => {
    const random = createRandom('together');
    const shared = Array.from({ length: 15 }, () => 1e6 * Math.exp(0.1 * random.normal()));
    const side = () => shared.map((time) => [time * Math.exp(0.001 * random.normal())]);
    const {
      tables: [summary],
      figures,
    } = mdsStudy([studied('sync-duet', trialsOf(side(), side()))], quick);
    // Figure 5.10: of a share of 0.1 % times the square root of 2 over 15 runs, twice 0.037 %, around 0.
    const [interval] = figures![0]!.series;
    expect(interval!.name).toBe('loop sync-duet');
    const [low = 0, high = 0] = interval!.values;
    expect(low).toBeLessThan(0.0005);
    expect(high - low).toBeGreaterThan(0.0007);
    expect(high - low).toBeLessThan(0.0025);
    expect(column(summary, 'detectable slowdown')).toEqual([0.01, null]);
  });

  it('leaves out and names what cannot be paired', () => {
    const few = studied('sync-duet', trialsOf([[1e6]], [[1e6]]));
    const study = mdsStudy([few], quick);
    expectTables(study);
    expect(study.tables[0]?.rows).toEqual([]);
    expect(notesOf(study)).toContain('loop, sync-duet: 1 of 1 runs');
  });

  it('pairs asynchronous duets by their overlaps', () => {
    const run = [[[0, 1000]], [[10, 1010]]] as const;
    const apart = [[[0, 1000]], [[900, 1900]]] as const;
    const [summary] = mdsStudy([studied('async-duet', spansOf([run, run, run, run, apart]))], quick).tables;
    expect(column(summary, 'runs')).toEqual([4, 4]);
  });
});

describe('the study of asymmetry', () => {
  // Work on CPU 1 takes 1.1 times as long as on CPU 0; A is on CPU 0 in even runs. B was started first in runs 2 and 3.
  const trials = [0, 1, 2, 3].map((run) => {
    const sideOn = (cpu: number) => aSide(iterationsOf([cpu === 1 ? 1.1e6 : 1e6]), { cpu });
    return aTrial({
      run,
      order: run < 2 ? 'AB' : 'BA',
      sides: { A: sideOn(run % 2), B: sideOn(1 - (run % 2)) },
    });
  });

  it('tells the cores apart, and nothing by the order', () => {
    const study = asymmetryStudy([studied('sync-duet', trials)], options);
    expectTables(study);
    const [levels, effects] = study.tables;
    expect(column(levels, 'runs in which')).toEqual([
      'A on CPU 0, B on CPU 1',
      'A on CPU 1, B on CPU 0',
      'A started first',
      'B started first',
    ]);
    expect(column(levels, 'B / A')[0]).toBeCloseTo(1.1, 12);
    expect(column(levels, 'B / A')[1]).toBeCloseTo(1 / 1.1, 12);
    expect(column(levels, 'B / A')[2]).toBeCloseTo(1, 12);
    expect(column(effects, 'effect')).toEqual([
      'time on CPU 1 over CPU 0',
      'time of the side started second over the first',
    ]);
    expect(column(effects, 'ratio')[0]).toBeCloseTo(1.1, 12);
    expect(column(effects, 'at least')[0]).toBeCloseTo(1.1, 9);
    expect(column(effects, 'ratio')[1]).toBeCloseTo(1, 12);
    expect(column(effects, 'at least')[1]).toBeLessThan(1);
  });

  it('names cores by their number, not by their digits', () => {
    const far = trials.map((trial) => ({
      ...trial,
      sides: {
        A: { ...trial.sides.A, cpu: trial.sides.A.cpu === 0 ? 2 : 10 },
        B: { ...trial.sides.B, cpu: trial.sides.B.cpu === 0 ? 2 : 10 },
      },
    }));
    const [, effects] = asymmetryStudy([studied('sync-duet', far)], options).tables;
    expect(column(effects, 'effect')[0]).toBe('time on CPU 10 over CPU 2');
    expect(column(effects, 'ratio')[0]).toBeCloseTo(1.1, 12);
  });

  it('tells what a copy beside it costs, and what that may hide', () => {
    const times = (time: number) => [[time], [time], [time]];
    const study = asymmetryStudy(
      [studied('sync-duet', trialsOf(times(150), times(150))), studied('sequential', trialsOf(times(100), times(100)))],
      options,
    );
    const concurrency = study.tables[2];
    expect(concurrency?.rows).toHaveLength(1);
    expect(column(concurrency, 'slowdown')[0]).toBeCloseTo(1.5, 12);
    expect(column(concurrency, 'a true 2 shows as')[0]).toBeCloseTo(1 + 1 / 1.5, 12);
    expect(column(concurrency, 'behind a shown 1.05 is')[0]).toBeCloseTo(1.075, 12);
  });

  it('says that isolated times are missing', () => {
    expect(notesOf(asymmetryStudy([studied('sync-duet', trials)], options))).toContain('--method sequential');
  });
});
