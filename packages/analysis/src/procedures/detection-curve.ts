import { createRandom, wilsonInterval } from '@deadheat/stats';
import type { Random } from '@deadheat/stats';
import { AnalysisError } from '../analysis-error.ts';
import { at } from '../internal/at.ts';
import { checkCount } from './check-count.ts';
import type { DetectionTest } from './detection.ts';
import { drawSeed } from './draw-seed.ts';
import { intervalTest } from './interval-test.ts';
import { pairSpans } from './pair-spans.ts';
import type { PairingOptions } from './pair-spans.ts';
import type { PairedRun } from './paired-run.ts';
import { slowDown } from './slow-down.ts';
import type { SpansOfRun } from './spans-of-run.ts';

const SETS = 100;
const CONFIDENCE = 0.95;
const PERCENTS = 15;

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

const bothWays = (
  run: SpansOfRun,
  options: { readonly factor: number; readonly pairing: PairingOptions },
): BothWays => {
  const { factor, pairing } = options;
  return {
    asMeasured: pairSpans({ A: run.A, B: slowDown(run.B, factor) }, pairing),
    swapped: pairSpans({ A: run.B, B: slowDown(run.A, factor) }, pairing),
  };
};

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
export const detectionCurve = (runs: readonly SpansOfRun[], options: DetectionCurveOptions): DetectionCurve => {
  const { pairing, random, sets = SETS } = options;
  const slowdowns = options.slowdowns ?? Array.from({ length: PERCENTS + 1 }, (_, percent) => percent / 100);
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
    const { low, high } = wilsonInterval(slower, sets, { level: CONFIDENCE });
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
};
