// How often a slowdown is seen: by the default and by t, and where it is as large as a report says it could see.
import { createRandom, minimalDetectableRatio } from '@deadheat/stats';
import { compareBenchmark } from '@deadheat/analysis';
import { simulatedExperiment, simulatedRuns } from './recordings.js';

/** Standard deviation of a log ratio under normal noise. */
const deviation = 0.01 * Math.SQRT2;
const wanted = 0.8;

/**
 * Draws experiments of B slower than A and judges each by the default and by `t`. The slowdown is the one that a t test of so many
 * normal log ratios detects with a probability of 80 %.
 *
 * @returns counts of `slower` and sums of the widths of both intervals on the log scale
 */
export function power({ way, shape, runs, confidence }, { draws, settings }) {
  const ratio = minimalDetectableRatio({ standardDeviation: deviation, n: runs, confidence, power: wanted });
  const found = { draws, slower: { own: 0, t: 0 }, logWidths: { own: 0, t: 0 } };
  for (let draw = 0; draw < draws; draw++) {
    const random = createRandom(`power ${way} ${shape} ${runs} ${draw}`);
    const made = simulatedRuns({ way, shape, runs, ratio }, random);
    for (const [name, kind] of Object.entries({ own: {}, t: { interval: 't' } })) {
      const stop = { kind: 'runs', runs };
      const all = { stop, seed: String(draw), ...settings, confidence, ...kind };
      const { benchmark, config } = simulatedExperiment(way, all);
      const comparison = compareBenchmark({ runs: made, benchmark, config });
      const { low, high } = comparison.interval;
      if (comparison.verdict === 'slower') found.slower[name]++;
      found.logWidths[name] += Math.log(high / low);
    }
  }
  return found;
}

/** Twice as slow is more than anybody asks about: with a report that says so B is made that slow. */
export const largest = 1;

/**
 * Draws two experiments at a time: one of equal commands, which says what slowdown it could have seen with a probability of 80 %, and
 * one in which B is slower by that much.
 *
 * @returns the count of second experiments that say `slower`, and the sum of the logarithms of the slowdowns
 */
export function sensitivity({ way, shape, runs, confidence }, { draws, settings }) {
  const found = { draws, slower: 0, logSlowdown: 0 };
  for (let draw = 0; draw < draws; draw++) {
    const random = createRandom(`sensitivity ${way} ${shape} ${runs} ${draw}`);
    const stop = { kind: 'runs', runs };
    const { benchmark, config } = simulatedExperiment(way, { stop, seed: String(draw), ...settings, confidence });
    const judge = (ratio) =>
      compareBenchmark({ runs: simulatedRuns({ way, shape, runs, ratio }, random), benchmark, config });
    const slowdown = Math.min(largest, judge(1).minimalDetectableSlowdown);
    found.logSlowdown += Math.log(slowdown);
    if (judge(1 + slowdown).verdict === 'slower') found.slower++;
  }
  return found;
}
