import { wilsonInterval } from '@deadheat/stats';
import type { Random } from '@deadheat/stats';
import { checkCount } from './check-count.ts';
import type { Detection, DetectionTest } from './detection.ts';
import type { PairedRun } from './paired-run.ts';
import { regroupSides } from './regroup-sides.ts';
import { swapSides } from './swap-sides.ts';

const SPLITS = 200;

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
export const falseAlarmRate = (runs: readonly PairedRun[], options: FalseAlarmOptions): FalseAlarmRate => {
  const { test, random, splits = SPLITS, by = 'swap', confidence = 0.95 } = options;
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
};
