import { createRandom, proportionTest, standardDeviation, wilsonInterval } from '@deadheat/stats';
import { describe, expect, it } from 'vitest';
import { measuredRuns } from '../../../../core/analysis/src/columns/measured-runs.ts';
import {
  dimensionText,
  drawDimension,
  mostRunsOf,
  simulationSeries,
  type SimulationModel,
} from '../../src/simulation/simulation-model.ts';
import { distributionStudy, simulationStudy } from '../../src/simulation/simulation-study.ts';
import {
  drawExperiment,
  simulatedMethods,
  simulateExperiments,
  type SimulationOptions,
} from '../../src/simulation/simulate-experiments.ts';
import { fitSimulationModel, fitSimulationSeries } from '../../src/simulation/fit-simulation-model.ts';
import { segmentRuns } from '../../../../core/analysis/src/segments/segment-runs.ts';
import { aBenchmark, aConfig, trialsOf } from '../../../../core/analysis/test/helpers/recordings.ts';
import { simulateRuns } from '../../../../core/analysis/test/segments/simulated-segments.ts';

const options: SimulationOptions = { seed: 'test', boundaries: 'known', replicates: 0, confidence: 0.99 };

/** Effects that are as good as normal: the quantiles in the middle of 400 equal parts would do, these are draws. */
const normalEffect = (sd: number, seed: string): SimulationModel['runEffect'] => {
  const random = createRandom(seed);
  const values = Float64Array.from({ length: 2000 }, () => random.normal());
  const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { values: values.map((value) => sd * (value - centre)), bandwidth: 0.1 * sd };
};

const model: SimulationModel = {
  benchmark: 'normal',
  unit: 'ns',
  mean: 100,
  measurementEffect: normalEffect(0.5, 'B'),
  segmentEffect: normalEffect(1, 'S'),
  runEffect: normalEffect(1, 'R'),
  shiftRate: 1 / 50,
  penalty: 50,
  seen: { runs: 10, segments: 50, measurements: 2000 },
  warnings: [],
};

const fittedRuns = (): Float64Array[] => {
  const truth = { runs: 40, measurements: 600, rate: 1 / 120, baseline: 100 };
  const sample = simulateRuns(
    { ...truth, runVariance: 4, segmentVariance: 9, measurementVariance: 0.25 },
    createRandom('fit'),
  );
  const [runStarts, segmentStarts] = sample.offsets;
  return Array.from({ length: truth.runs }, (_, r) =>
    sample.values.slice(segmentStarts![runStarts![r]!], segmentStarts![runStarts![r + 1]!]),
  );
};

const fitted = (): SimulationModel =>
  fitSimulationModel('fitted', segmentRuns(fittedRuns(), { random: createRandom(1), penalty: 40 }));

describe('the dimension of an experiment', () => {
  const hour = 3600e9;
  const short = { totalNs: hour, warmupNs: 120e9 };
  const timed = { benchmark: 'timed', iterationNs: 1e9 };

  it('is as it was given, or fills a duration with a drawn number of runs', () => {
    expect(drawDimension({ runs: 3, iterations: 4 }, timed, createRandom(1))).toEqual({ runs: 3, iterations: 4 });
    const random = createRandom(2);
    const drawn = Array.from({ length: 300 }, () => drawDimension(short, timed, random));
    // 3600 s / (120 s + 2 x 1 s) = 29.5 runs at most; two runs leave 1800 s - 120 s each.
    expect(Math.min(...drawn.map(({ runs }) => runs))).toBe(2);
    expect(Math.max(...drawn.map(({ runs }) => runs))).toBe(29);
    for (const { runs, iterations } of drawn) expect(iterations).toBe(Math.floor(3600 / runs - 120));
  });

  it('has as many runs as the duration says, and what then fits', () => {
    // 3600 s / 10 runs - 120 s of warm-up = 240 s of 1 s each.
    expect(drawDimension({ ...short, runs: 10 }, timed, createRandom(1))).toEqual({ runs: 10, iterations: 240 });
    expect(dimensionText({ ...short, runs: 10 })).toBe('10 in 1h/2min');
    expect(() => mostRunsOf({ ...short, runs: 30 }, timed)).toThrow(/do not hold 30 runs/);
  });

  it('is one of a mix, each as often', () => {
    const random = createRandom(3);
    const mix = [short, { totalNs: 8 * hour, warmupNs: 300e9 }];
    const drawn = Array.from({ length: 400 }, () => drawDimension({ mix }, timed, random));
    const long = drawn.filter(({ runs, iterations }) => runs * iterations > 3600).length;
    expect(Math.abs(long - 200)).toBeLessThan(60);
    expect(dimensionText({ mix })).toBe('mix of 1h/2min, 8h/5min');
  });

  it('is refused where it does not fit', () => {
    expect(() => mostRunsOf(short, { benchmark: 'x' })).toThrow(/not known/);
    expect(() => mostRunsOf({ totalNs: 200e9, warmupNs: 120e9 }, timed)).toThrow(/two runs/);
    expect(() => mostRunsOf(short, { benchmark: 'x', iterationNs: 1e6 })).toThrow(
      /more than 2000000 iterations of 1 ms/,
    );
  });
});

describe('fitSimulationModel', () => {
  it('may take the means as they are, which hold the noise of what they are means of', () => {
    const series = { label: 'raw', unit: 'ns', runs: fittedRuns() } as const;
    const [raw, own] = [true, false].map((rawMeans) =>
      fitSimulationSeries(series, { penalty: 40, rawMeans, seed: 'any' }),
    );
    const spread = ({ values, bandwidth }: SimulationModel['runEffect']): number =>
      Math.hypot(standardDeviation(values), bandwidth);
    expect(spread(raw!.runEffect)).toBeGreaterThan(spread(own!.runEffect));
  });

  it('finds mean, spreads and rate of artificial runs, and draws with the spreads of the components', () => {
    const found = fitted();
    const spread = ({ values, bandwidth }: SimulationModel['runEffect']): number =>
      Math.hypot(standardDeviation(values), bandwidth);
    expect(Math.abs(found.mean - 100)).toBeLessThan(2);
    expect(spread(found.measurementEffect)).toBeCloseTo(0.5, 1);
    expect(spread(found.segmentEffect)).toBeGreaterThan(2.4);
    expect(spread(found.segmentEffect)).toBeLessThan(3.6);
    expect(spread(found.runEffect)).toBeGreaterThan(1.2);
    expect(spread(found.runEffect)).toBeLessThan(2.8);
    expect(found.penalty).toBe(40);
    expect(1 / found.shiftRate).toBeGreaterThan(90);
    expect(1 / found.shiftRate).toBeLessThan(160);
    for (const { values } of [found.measurementEffect, found.segmentEffect, found.runEffect]) {
      expect(values.reduce((sum, value) => sum + value, 0) / values.length).toBeCloseTo(0, 10);
    }
  });

  it('leaves warm-up of a series out', () => {
    const runs = [3, 4, 5].map((r) =>
      Array.from({ length: 50 }, (_, i) => (i < 10 ? 100 : 1 + ((7 * i * r) % 11) / 100)),
    );
    const found = fitSimulationSeries({ label: 'warm', unit: 'ns', runs }, { warmup: 10, seed: 'any' });
    expect(found.benchmark).toBe('warm');
    expect(found.mean).toBeLessThan(1.1);
    expect(found.seen.measurements).toBe(120);
  });

  it('refuses one run and runs that do not vary', () => {
    const segmented = (runs: number[][]): ReturnType<typeof segmentRuns> =>
      segmentRuns(runs, { random: createRandom(1) });
    expect(() => fitSimulationModel('x', segmented([[1, 2, 3, 2]]))).toThrow(
      expect.objectContaining({ code: 'TOO_FEW_RUNS' }),
    );
    expect(() =>
      fitSimulationModel(
        'x',
        segmented([
          [2, 2],
          [2, 2],
        ]),
      ),
    ).toThrow(/x: all measurements are equal/);
  });
});

describe('drawExperiment', () => {
  it('draws runs of the asked length, cut into segments about as often as the rate says', () => {
    const { values, offsets } = drawExperiment(model, { runs: 50, iterations: 1000 }, createRandom('draw'));
    const [runStarts, segmentStarts] = offsets;
    expect(values).toHaveLength(50_000);
    expect(runStarts).toHaveLength(51);
    expect(Array.from(runStarts!, (s) => segmentStarts![s])).toEqual(Array.from({ length: 51 }, (_, r) => 1000 * r));
    const changes = segmentStarts!.length - 1 - 50;
    // Binomial(49 950, 1/50): sd 31.
    expect(Math.abs(changes - 999)).toBeLessThan(4 * 31);
    expect([...segmentStarts!].every((start, i) => i === 0 || start > segmentStarts![i - 1]!)).toBe(true);
  });

  it('draws one segment a run at rate 0, and refuses dimensions below 2', () => {
    const still = { ...model, shiftRate: 0 };
    expect(drawExperiment(still, { runs: 3, iterations: 20 }, createRandom(1)).offsets[1]).toHaveLength(4);
    expect(() => drawExperiment(model, { runs: 1, iterations: 20 }, createRandom(1))).toThrow(/runs must be/);
    expect(() => drawExperiment(model, { runs: 3, iterations: 2.5 }, createRandom(1))).toThrow(/iterations must be/);
  });
});

describe('the table of models', () => {
  const notesOf = (one: SimulationModel): readonly string[] => distributionStudy([one], options).tables[0]!.notes;

  it('names the benchmarks whose artificial times may be below 0, and no others', () => {
    expect(notesOf(model).join(' ')).not.toContain('below 0');
    const wide = { ...model, measurementEffect: normalEffect(60, 'B') };
    expect(notesOf(wide).join(' ')).toContain('artificial times below 0 are possible for normal');
    const { values } = drawExperiment(wide, { runs: 50, iterations: 1000 }, createRandom('below'));
    expect(values.some((value) => value < 0)).toBe(true);
    expect(notesOf({ ...wide, unit: 'ratio' }).join(' ')).not.toContain('below 0');
  });
});

describe('simulateExperiments', () => {
  const what = { model, dimension: { runs: 8, iterations: 100 } };

  it('finds that t intervals of normal effects miss as often as they say, and normal ones more often', () => {
    const { intervals } = simulateExperiments(what, { from: 0, count: 4000 }, { ...options, confidence: 0.95 });
    const misses = intervals.map(({ missed }) => missed.reduce((sum, one) => sum + one, 0));
    const methods = simulatedMethods(options);
    expect(methods.map(({ segments, kind }) => `${kind} ${segments}`)).toEqual([
      'normal aware',
      'normal ignorant',
      't aware',
      't ignorant',
    ]);
    expect(proportionTest(misses[2]!, 4000, 0.05).p).toBeGreaterThan(1e-4);
    expect(proportionTest(misses[3]!, 4000, 0.05).p).toBeGreaterThan(1e-4);
    // Normal quantiles with 7 degrees of freedom: P(|T| > 1.96) = 9.1 %.
    expect(proportionTest(misses[1]!, 4000, 0.0908).p).toBeGreaterThan(1e-4);
    expect(proportionTest(misses[1]!, 4000, 0.05).p).toBeLessThan(1e-6);
  });

  it('gives every experiment the same however ranges are cut, and others by another seed', () => {
    const whole = simulateExperiments(what, { from: 0, count: 12 }, { ...options, replicates: 200 });
    const parts = [
      simulateExperiments(what, { from: 0, count: 5 }, { ...options, replicates: 200 }),
      simulateExperiments(what, { from: 5, count: 7 }, { ...options, replicates: 200 }),
    ];
    expect(parts.flatMap(({ grandMeans }) => grandMeans)).toEqual(whole.grandMeans);
    whole.intervals.forEach(({ widths, missed }, m) => {
      expect(parts.flatMap(({ intervals }) => intervals[m]!.widths)).toEqual(widths);
      expect(parts.flatMap(({ intervals }) => intervals[m]!.missed)).toEqual(missed);
    });
    expect(whole.intervals).toHaveLength(6);
    const other = simulateExperiments(what, { from: 0, count: 12 }, { ...options, seed: 'other' });
    expect(other.grandMeans).not.toEqual(whole.grandMeans);
  });

  it('cuts the same measurements where PELT finds changes', () => {
    const known = simulateExperiments(what, { from: 0, count: 20 }, options);
    const detected = simulateExperiments(what, { from: 0, count: 20 }, { ...options, boundaries: 'detected' });
    // What ignores segments does not see where they end.
    detected.intervals[1]!.widths.forEach((width, k) => expect(width).toBeCloseTo(known.intervals[1]!.widths[k]!, 12));
    expect(detected.intervals[0]!.widths).not.toEqual(known.intervals[0]!.widths);
  });
});

describe('few runs of few segments', () => {
  // Five segments a run; Var(S)/Var(R) of workloads that gain most in OOPSLA'26, section 7.
  const dimension = { runs: 3, iterations: 80 };
  const count = 5000;
  const normal = (variance: number): SimulationModel['runEffect'] => ({
    values: new Float64Array(1),
    bandwidth: Math.sqrt(variance),
  });

  it.each([
    [0.36, 'ns', 100],
    [3.67, 'ns', 100],
    [0.58, 'ratio', -0.02],
  ] as const)('t intervals that know of segments miss less often: Var(S)/Var(R) %f, %s', (share, unit, mean) => {
    const scale = unit === 'ns' ? 1 : 1e-4;
    const shifting: SimulationModel = {
      ...model,
      unit,
      mean,
      runEffect: normal(scale),
      segmentEffect: normal(share * scale),
      measurementEffect: normal(0.04 * scale),
      shiftRate: 1 / 20,
    };
    const { intervals, grandMeans } = simulateExperiments(
      { model: shifting, dimension },
      { from: 0, count },
      { ...options, confidence: 0.95 },
    );
    const [aware, ignorant] = [2, 3].map((m) =>
      wilsonInterval(
        intervals[m]!.missed.reduce((sum, one) => sum + one, 0),
        count,
        { level: 0.99 },
      ),
    );
    expect(aware!.high).toBeLessThan(ignorant!.low);
    expect(aware!.high).toBeLessThan(0.05);
    expect(ignorant!.low).toBeLessThan(0.05);
    expect(ignorant!.high).toBeGreaterThan(0.04);
    // Shares of the truth, for ratios too.
    const around = grandMeans.reduce((sum, one) => sum + one, 0) / count;
    expect(Math.abs(around - 1)).toBeLessThan(0.002);
  });
});

describe('simulationSeries', () => {
  it('holds both sides of a duet and the logarithms of its ratios', () => {
    const [A, B] = [
      [1e6, 2e6],
      [2e6, 1e6],
    ];
    const runs = trialsOf([A!, B!], [B!, A!]);
    const series = simulationSeries([{ benchmark: aBenchmark(), config: aConfig(), runs: measuredRuns(runs) }]);
    expect(series.map(({ label, unit }) => [label, unit])).toEqual([
      ['loop A', 'ns'],
      ['loop B', 'ns'],
      ['loop B / A', 'ratio'],
    ]);
    const one = ['1.000000000', '-1.000000000'];
    const found = Array.from(series[2]!.runs, (run) => Array.from(run, (value) => (value / Math.LN2).toFixed(9)));
    expect(found).toEqual([one, one.toReversed()]);
  });
});

describe('simulationStudy', () => {
  it("has the paper's tables, most gained by segments first", () => {
    const dimension = { runs: 5, iterations: 40 };
    const other = { ...model, benchmark: 'other' };
    const benchmarks = [model, other].map((one) => ({
      model: one,
      dimension,
      experiments: simulateExperiments(
        { model: one, dimension },
        { from: 0, count: 300 },
        { ...options, confidence: 0.9 },
      ),
    }));
    const study = simulationStudy(benchmarks, { ...options, confidence: 0.9 });
    expect(study.kind).toBe('simulation');
    expect(study.tables.map(({ source }) => source.replace(/^.*'26, /, ''))).toEqual([
      'tables 2 and 7',
      'tables 3 and 8',
      'table 5',
      'equation 1 and figures 4 to 6',
    ]);
    for (const { rows, columns } of study.tables) expect(rows.every((row) => row.length === columns.length)).toBe(true);
    const ratios = study.tables[0]!.rows.map((row) => row[9] as number);
    expect(ratios).toEqual(ratios.toSorted((left, right) => right - left));
    const [row] = study.tables[1]!.rows;
    const own = benchmarks.find(({ model: { benchmark } }) => benchmark === row![0])!.experiments.intervals[2]!;
    const misses = own.missed.reduce((sum, one) => sum + one, 0);
    expect(row!.slice(1, 4)).toEqual(['5x40', 300, misses / 300]);
    expect(row![4] as number).toBeLessThan(misses / 300);
    expect(row![5] as number).toBeGreaterThan(misses / 300);
  });
});

describe('the figures of a simulation', () => {
  const timed = { ...model, iterationNs: 1e9 };
  const simulated = (dimensions: readonly Parameters<typeof dimensionText>[0][]) =>
    dimensions.map((dimension) => ({
      model: timed,
      dimension,
      experiments: simulateExperiments({ model: timed, dimension }, { from: 0, count: 30 }, options),
    }));
  const figuresFor = (dimensions: Parameters<typeof simulated>[0]) =>
    simulationStudy(simulated(dimensions), options).figures ?? [];

  it('have curves over the number of runs where there are several', () => {
    const duration = { totalNs: 600e9, warmupNs: 30e9 };
    const figures = figuresFor([
      { ...duration, runs: 4 },
      { ...duration, runs: 2 },
    ]);
    const [location, spread] = [8, 11].map((number) => figures.find(({ name }) => name.includes(`figure-${number}-`)));
    expect(location).toMatchObject({ kind: 'ranges', unit: 'ratio', isLogarithmic: true });
    expect(location!.series.map(({ name }) => name)).toEqual([
      'normal quantiles, segment-aware',
      'normal quantiles, segment-ignorant',
      "Student's t, segment-aware",
      "Student's t, segment-ignorant",
    ]);
    for (const { x, values, highs } of location!.series) {
      expect(x).toEqual([2, 4]);
      // Means of 30 experiments: the true mean is inside, and more runs make the interval of t narrower.
      values.forEach((low, k) => expect(low < 1 && highs![k]! > 1).toBe(true));
    }
    const [, , t] = location!.series;
    expect(t!.highs![1]! - t!.values[1]!).toBeLessThan(t!.highs![0]! - t!.values[0]!);
    expect(spread).toMatchObject({ kind: 'lines', place: 'runs' });
    expect(spread!.series[0]!.x).toEqual([2, 4]);
    // B 0.5, S 1, R 1: very short runs have n = sqrt(30 x 0.25 / 2) = 1.9, very long ones sqrt(30 x 1.25 / 1) = 6.1, rounded up.
    const places = spread!.marks!.map(({ x }) => x);
    expect(places[0]).toBeCloseTo(600 / (30 + 7), 1);
    expect(places[1]).toBeCloseTo(600 / (30 + 2), 1);
  });

  it('have none where the number of runs is one, or drawn anew', () => {
    const duration = { totalNs: 600e9, warmupNs: 30e9 };
    const names = figuresFor([{ runs: 3, iterations: 20 }, { runs: 4, iterations: 30 }, duration, { mix: [duration] }]);
    expect(names.filter(({ name }) => /figure-(8|11)-/.test(name))).toEqual([]);
  });

  it('leave out ends that were not kept', () => {
    const both = simulated([
      { runs: 3, iterations: 20 },
      { runs: 5, iterations: 20 },
    ]);
    const forgotten = both.map((one) => ({
      ...one,
      experiments: {
        ...one.experiments,
        intervals: one.experiments.intervals.map((own) => ({ ...own, lows: own.widths.map(() => Number.NaN) })),
      },
    }));
    const figures = simulationStudy(forgotten, options).figures ?? [];
    expect(figures.find(({ name }) => name.includes('figure-8-'))!.series).toEqual([]);
  });

  it('and the distributions alone need no experiment', () => {
    const { tables, figures = [] } = distributionStudy([timed], options);
    expect(tables.map(({ title }) => title)).toEqual(['What the artificial recordings are drawn from']);
    expect(figures.map(({ name }) => name)).toEqual([
      'oopsla26-figure-4-measurements',
      'oopsla26-figure-5-segments',
      'oopsla26-figure-6-runs',
      'oopsla26-figure-7-artificial-1',
    ]);
    const { columns, rows } = tables[0]!;
    const skewness = rows[0]![columns.findIndex(({ name }) => name === 'skewness of R')] as number;
    // Of 2000 normal draws it has a standard error of sqrt(6 / 2000) = 0.055.
    expect(Math.abs(skewness)).toBeLessThan(0.25);
  });
});
