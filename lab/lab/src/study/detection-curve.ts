import { createRandom, wilsonInterval, type Random } from '@deadheat/stats';
import { AnalysisError, at } from '@deadheat/analysis';
import { intervalTest, type Detection, type DetectionTest } from './change-tests.ts';
import {
  pairSpans,
  regroupSides,
  slowDown,
  swapSides,
  type PairedRun,
  type PairingOptions,
  type SpansOfRun,
} from './paired-run.ts';

const usualSets = 100;
const usualConfidence = 0.95;
const percents = 15;

/** What a test makes of one slowdown. */
export interface DetectionPoint {
  /** 0.01 = B takes 1 % longer. */
  readonly slowdown: number;
  /** Share of the drawn sets in which the test reports a change; at slowdown 0 its false alarm rate. */
  readonly detected: number;
  /** Share of the drawn sets in which it says that B is slower. */
  readonly slower: number;
  /** Wilson's 95 % interval of `slower`: what the number of sets leaves open. */
  readonly low: number;
  readonly high: number;
  /** Whether it reports a change for the runs as they were recorded, each once: the thesis' own figure. */
  readonly asMeasured: boolean;
}

/** How likely a test is to see slowdowns of various sizes, in the order in which they were asked for. */
export interface DetectionCurve {
  /** Runs that were drawn from. */
  readonly runs: number;
  /** Sets drawn for every slowdown. */
  readonly sets: number;
  readonly points: readonly DetectionPoint[];
}

/** How to make a detection curve. */
export interface DetectionCurveOptions {
  readonly pairing: PairingOptions;
  readonly random: Random;
  /** Relative slowdowns, each above -1; default 0 to 15 % in steps of 1 %. */
  readonly slowdowns?: readonly number[];
  /** Default: `intervalTest` with its defaults. */
  readonly test?: DetectionTest;
  /** Sets of runs drawn, default 100. */
  readonly sets?: number;
  /** Runs in a set, default as many as there are. More answers what a longer experiment would see. */
  readonly setSize?: number;
}

/** A run with either side in the role of the slowed one. */
interface BothWays {
  readonly asMeasured: PairedRun;
  readonly swapped: PairedRun;
}

function bothWays(run: SpansOfRun, options: { readonly factor: number; readonly pairing: PairingOptions }): BothWays {
  const { factor, pairing } = options;
  return {
    asMeasured: pairSpans({ A: run.A, B: slowDown(run.B, factor) }, pairing),
    swapped: pairSpans({ A: run.B, B: slowDown(run.A, factor) }, pairing),
  };
}

/** The same for every slowdown, so that points of a curve differ by the slowdown alone. */
interface DrawnSet {
  readonly members: readonly { readonly run: number; readonly swapped: boolean }[];
  readonly seed: bigint;
}

/**
 * The share of experiments in which a test would see a slowdown, for each of several slowdowns: B's iterations of A/A runs
 * take longer by that much (`slowDown`), are paired anew and tested. An experiment is a set of runs drawn with replacement,
 * in each of which a coin decides which side is slowed: drawn without the coin, the sets would repeat the chance difference
 * of the recorded runs, and a test of 5 % would raise false alarms in about 17 % of them.
 *
 * @param runs of an A/A experiment. A run that loses its last pair under one of the slowdowns is left out of all.
 * @throws AnalysisError `TOO_FEW_RUNS` with fewer than two runs with pairs; as `overlaps`.
 * @throws RangeError for a slowdown of -1 or less, `sets` or `setSize` that are no integers >= 1; what the test throws.
 * Source: Drozdik 2023, sections 4.4 and 5.2.4; the drawing of sets is ours (the thesis takes a share of benchmarks).
 */
export function detectionCurve(runs: readonly SpansOfRun[], options: DetectionCurveOptions): DetectionCurve {
  const { pairing, random, sets = usualSets } = options;
  const slowdowns = options.slowdowns ?? Array.from({ length: percents + 1 }, (_, percent) => percent / 100);
  const test = options.test ?? ((drawn, stream) => intervalTest(drawn, { random: stream }));
  checkCount('sets', sets);

  const all = slowdowns.map((slowdown) => runs.map((run) => bothWays(run, { factor: 1 + slowdown, pairing })));
  const places = runs
    .map((_, r) => r)
    .filter((r) =>
      all.every((slowed) => {
        const { asMeasured, swapped } = at(slowed, r);
        return asMeasured.pairs.length > 0 && swapped.pairs.length > 0;
      }),
    );
  if (places.length < 2) {
    throw new AnalysisError(
      'TOO_FEW_RUNS',
      `${places.length} of ${runs.length} runs have pairs at every slowdown; a detection curve needs at least 2, so record ` +
        'more runs, or lower the minimum overlap rate where iterations are paired by overlap',
    );
  }
  const setSize = options.setSize ?? places.length;
  checkCount('setSize', setSize);

  const draws: DrawnSet[] = Array.from({ length: sets }, () => ({
    members: Array.from({ length: setSize }, () => ({
      run: at(places, random.int(places.length)),
      swapped: random.int(2) === 1,
    })),
    seed: drawSeed(random),
  }));
  const seed = drawSeed(random);

  const points = all.map((slowed, k): DetectionPoint => {
    const found = draws.map((draw) => {
      const drawn = draw.members.map(({ run, swapped }) => at(slowed, run)[swapped ? 'swapped' : 'asMeasured']);
      return test(drawn, createRandom(draw.seed));
    });
    const slower = found.filter(({ direction }) => direction === 'slower').length;
    const { low, high } = wilsonInterval(slower, sets, { level: usualConfidence });
    const recorded = places.map((r) => at(slowed, r).asMeasured);
    return {
      slowdown: at(slowdowns, k),
      detected: found.filter(({ detected }) => detected).length / sets,
      slower: slower / sets,
      low,
      high,
      asMeasured: test(recorded, createRandom(seed)).detected,
    };
  });
  return { runs: places.length, sets, points };
}

const usualPower = 0.8;

/**
 * The smallest slowdown of a curve that is called slower with the given power, it and every larger one.
 *
 * @param options.power share of experiments, inside (0, 1]; default 0.8.
 * @returns a slowdown above 0, as precise as the curve's steps; `null` when the largest one is not seen often enough.
 * @throws RangeError for another power.
 * Source: Drozdik 2023, section 5.2.4, where a curve ends when every benchmark is distinguished.
 */
export function minimalDetectableSlowdownOf(
  curve: Pick<DetectionCurve, 'points'>,
  options: { readonly power?: number } = {},
): number | null {
  const { power = usualPower } = options;
  if (!(power > 0 && power <= 1)) throw new RangeError(`power must lie inside (0, 1], got ${power}`);
  const falling = curve.points
    .filter(({ slowdown }) => slowdown > 0)
    .toSorted((left, right) => right.slowdown - left.slowdown);
  const firstMissed = falling.findIndex(({ slower }) => slower < power);
  const seen = firstMissed === -1 ? falling : falling.slice(0, firstMissed);
  return seen.at(-1)?.slowdown ?? null;
}

const usualSplits = 200;

/** How often a test reports a change where there is none. */
export interface FalseAlarmRate {
  readonly splits: number;
  readonly alarms: number;
  /** alarms / splits; the A/A detection rate of the thesis is 1 minus this. */
  readonly rate: number;
  /** Wilson's interval of the rate: what the number of splits leaves open, not what other runs would have shown. */
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
  /**
   * The test with the sides as they were recorded. A change here is a false alarm by chance, or one side has it harder on
   * this machine; then the rate is too high for a test that does not look at pairs.
   */
  readonly asMeasured: Detection;
}

/** How to split A/A runs into sides. */
export interface FalseAlarmOptions {
  readonly test: DetectionTest;
  readonly random: Random;
  /** Default 200. */
  readonly splits?: number;
  /**
   * `swap` (default): in every run a coin decides which side is called A, pairs stay pairs. `regroup`: the sides of all
   * runs are dealt anew, as fits `sequential`, where no two belong together.
   */
  readonly by?: 'swap' | 'regroup';
  /** Of Wilson's interval, default 0.95. */
  readonly confidence?: number;
}

/**
 * The rate at which a test reports a change between two sides that are the same program. In A/A runs the names of the sides
 * carry no meaning, so every other naming is as good an experiment as the recorded one; the share of them with a change is
 * the rate. With few runs there are few namings, and the rate is a coarse one.
 *
 * @param runs of an A/A experiment.
 * @throws RangeError when `splits` is not an integer >= 1; what the test throws.
 * Source: Drozdik 2023, sections 4.1 and 5.2.3, for the question; the exchange of names is ours.
 */
export function falseAlarmRate(runs: readonly PairedRun[], options: FalseAlarmOptions): FalseAlarmRate {
  const { test, random, splits = usualSplits, by = 'swap', confidence = 0.95 } = options;
  checkCount('splits', splits);
  const asMeasured = test(runs, random);
  let alarms = 0;
  for (let k = 0; k < splits; k++) {
    const split =
      by === 'regroup' ? regroupSides(runs, random) : runs.map((run) => (random.int(2) === 0 ? run : swapSides(run)));
    if (test(split, random).detected) alarms++;
  }
  const { low, high } = wilsonInterval(alarms, splits, { level: confidence });
  return { splits, alarms, rate: alarms / splits, low, high, confidence, asMeasured };
}

/** A seed from two draws. `createRandom` of it gives the same stream as often as wanted, which `split` cannot. */
function drawSeed(random: Random): bigint {
  return (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
}

/** Refuses what is no number of things, at least one. */
function checkCount(name: string, value: number): void {
  if (!(Number.isSafeInteger(value) && value >= 1))
    throw new RangeError(`${name} must be an integer >= 1, got ${value}`);
}
