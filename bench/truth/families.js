// Experiments of several benchmarks and controls under a stop rule, each benchmark stopped and judged as the engine does, and what the
// gate says of all of them.
import { compareBenchmark, judgeGate, analyseInterim } from '@deadheat/analysis';
import { decideStop } from '../../core/engine/dist/plan/stop.js';
import { askedStopRule, presets } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { runNs, simulatedExperiment, simulatedRuns } from './recordings.js';

/** Runs of a benchmark at most, whatever the rule. */
const mostRuns = 120;
const maxTimeNs = mostRuns * runNs;

/** By name, what a stop rule sets beside the defaults of its method. */
export const rules = {
  fixed: { stop: askedStopRule({ runs: 20 }) },
  enough: { stop: askedStopRule({}) },
  precision: { stop: askedStopRule({ precision: 0.01 }) },
  decided: { stop: askedStopRule({ until: 'decided' }) },
  quick: presets.quick,
};

/** Runs one benchmark until its rule stops it, and judges what there is. */
function judgeOne({ way, shape, rule, family, ratio, own = {} }, { random, settings, seed }) {
  const { benchmark, config } = simulatedExperiment(way, { seed, ...settings, ...rules[rule], maxTimeNs }, own);
  const made = simulatedRuns({ way, shape, runs: mostRuns, ratio }, random);
  let runs = 0;
  let decision;
  do {
    const until = made.slice(0, ++runs);
    decision = decideStop(config, {
      runs,
      elapsedNs: runs * runNs,
      stable: false,
      family,
      analyse: (facts) => analyseInterim({ runs: until, benchmark, config }, { ...facts, family }),
    });
  } while (decision.kind === 'go-on');
  return compareBenchmark({ runs: made.slice(0, runs), benchmark, config });
}

/** What B's time is multiplied by: by 1 + margin where it is not slower, so that nothing is easier to be taken for slower. */
const slowdowns = { fixed: 1.03, enough: 1.03, precision: 1.03, decided: 1.03, quick: 1.06 };

/** Which of the benchmarks are slower. */
const slowOnes = { none: () => false, one: (place) => place === 0, all: () => true };

/**
 * Families of so many benchmarks of which `slow` are slower.
 *
 * @param {object} cell `way`, `shape`, `rule`, `size`, `slow`: none, one, all
 * @returns how many gates failed, how many counted a benchmark that is not slower, how many of the slow ones they counted, and runs
 */
export function families({ way, shape, rule, size, slow }, { draws, settings }) {
  const found = { draws, failed: 0, falselyFailed: 0, slow: 0, counted: 0, benchmarks: 0, runs: 0 };
  const margin = rules[rule].margin ?? 0;
  for (let draw = 0; draw < draws; draw++) {
    const random = createRandom(`families ${way} ${shape} ${rule} ${size} ${slow} ${draw}`);
    const isSlow = Array.from({ length: size }, (_, place) => slowOnes[slow](place));
    const judged = isSlow.map((slower, place) => {
      const ratio = slower ? slowdowns[rule] : 1 + margin;
      const cell = { way, shape, rule, family: size, ratio, own: { name: `b${place}` } };
      return { comparison: judgeOne(cell, { random, settings, seed: String(draw) }), waiver: null };
    });
    const { gate } = judgeGate({ judged, correction: 'holm', today: '2026-01-01' });
    if (gate.outcome === 'failed') found.failed++;
    if (gate.benchmarks.some(({ slower }, place) => slower && !isSlow[place])) found.falselyFailed++;
    found.slow += isSlow.filter(Boolean).length;
    found.counted += gate.benchmarks.filter(({ slower }, place) => slower && isSlow[place]).length;
    found.benchmarks += size;
    found.runs += judged.reduce((sum, { comparison }) => sum + comparison.runs, 0);
  }
  return found;
}

/** A differs from itself by this much where the machine is not to be trusted. */
const apart = 1.1;

/**
 * Families of so many controls, A against itself, of which none or `one` differs.
 *
 * @returns in how many a control fired, in how many of them its warnings say that runs correlate, and runs
 */
export function controls({ way, shape, rule, size, slow }, { draws, settings }) {
  const found = { draws, fired: 0, warned: 0, benchmarks: 0, runs: 0 };
  for (let draw = 0; draw < draws; draw++) {
    const random = createRandom(`controls ${way} ${shape} ${rule} ${size} ${slow} ${draw}`);
    const judged = Array.from({ length: size }, (_, place) => {
      const own = { name: `b${place} A/A`, controlOf: `b${place}` };
      const cell = { way, shape, rule, family: size, ratio: slowOnes[slow](place) ? apart : 1, own };
      return { comparison: judgeOne(cell, { random, settings, seed: String(draw) }), waiver: null };
    });
    const { gate } = judgeGate({ judged, correction: 'holm', today: '2026-01-01' });
    if (gate.control.fired) {
      found.fired++;
      const isWarned = ({ comparison: { warnings } }) => warnings.some(({ code }) => code === 'RUNS_CORRELATED');
      if (judged.some(isWarned)) found.warned++;
    }
    found.benchmarks += size;
    found.runs += judged.reduce((sum, { comparison }) => sum + comparison.runs, 0);
  }
  return found;
}
