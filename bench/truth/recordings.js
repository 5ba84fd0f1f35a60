// Runs of a simulated experiment as a recording has them, by every method.
import { measuredRuns } from '@deadheat/analysis';
import { madeUpExperiment, madeUpTrial } from '../lib/made-up.js';
import { shapes } from './shapes.js';

/** By name, the method of a recording and its settings that are not the method's defaults. */
export const ways = {
  tandem: { method: 'tandem', settings: {} },
  'sync-duet': { method: 'sync-duet', settings: {} },
  'async-duet': { method: 'async-duet', settings: {} },
  paired: { method: 'sequential', settings: { unpaired: false } },
  unpaired: { method: 'sequential', settings: { unpaired: true } },
};

/** Time of an execution that nothing disturbs, and of a whole run, ns. */
const baseNs = 50e6;
export const runNs = 2 * baseNs;
/** Executions of a side in a run of `async-duet`, each of which scatters by 1 % more. */
const asyncIterations = 5;

/**
 * A benchmark and its experiment.
 *
 * @param {string} way one of {@link ways}
 * @param {object} settings what differs from the defaults of its method
 */
export function simulatedExperiment(way, settings, benchmark = {}) {
  const { method, settings: own } = ways[way];
  return madeUpExperiment(method, { benchmark, config: { maxTimeNs: null, ...own, ...settings } });
}

/**
 * The runs of an experiment in the order in which they were made. As planned by the engine: the sides of a tandem share a core, which
 * the runs of a block of two trade; in duets each side has a core, which they trade inside a block; the sides of sequential runs are
 * executed one after the other, which of them first is drawn, on the core that the system gives them.
 *
 * @param {object} what
 * @param {string} what.way one of {@link ways}
 * @param {string} what.shape one of {@link shapes}
 * @param {number} what.runs
 * @param {number} [what.ratio] B takes so many times as long as it would, default 1
 * @param {import('@deadheat/stats').Random} random
 * @returns {import('@deadheat/model').MeasuredRun[]}
 */
export function simulatedRuns({ way, shape, runs, ratio = 1 }, random) {
  const { machine, core, sides } = shapes[shape];
  const { method } = ways[way];
  const moments = 2 * runs;
  const levels = machine?.(moments, random);
  const cores = [0, 1].map((cpu) => core?.(moments, random, cpu));
  const draw = sides(random);
  const trials = [];
  let now = 1e12;
  let first = 0;
  for (let run = 0; run < runs; run++) {
    if (run % 2 === 0) first = random.int(2);
    const cpuOfA = run % 2 === 0 ? first : 1 - first;
    const cpus = { A: cpuOfA, B: method === 'tandem' ? cpuOfA : 1 - cpuOfA };
    if (method === 'sequential') Object.assign(cpus, { A: random.int(2), B: random.int(2) });
    const later = method === 'sequential' ? (random.int(2) === 0 ? 'A' : 'B') : null;
    const own = draw();
    const began = now;
    const timed = (side) => {
      const moment = 2 * run + (side === later ? 1 : 0);
      const log = own[side] + (levels?.[moment] ?? 0) + (cores[cpus[side]]?.[moment] ?? 0);
      const level = baseNs * (side === 'B' ? ratio : 1) * Math.exp(log);
      const start = began + (side === later ? 10 * baseNs : 0);
      const iterations = method === 'async-duet' ? severalFrom(start, { level, random }) : [iteration(start, level)];
      // Only of a tandem CPU time is told: for the others wall time decides.
      return {
        // What is recorded of a side that may use all cores is the first of them.
        cpu: method === 'sequential' ? 0 : cpus[side],
        ...(method === 'tandem' ? {} : { userNs: null, systemNs: null }),
        iterations: method === 'tandem' ? iterations.map((one) => ({ ...one, c: one.e - one.s })) : iterations,
      };
    };
    const trial = madeUpTrial(run, { method, sides: { A: timed('A'), B: timed('B') } });
    trials.push({ ...trial, wallNs: runNs, order: later === 'A' ? 'BA' : 'AB' });
    now += 20 * baseNs;
  }
  return measuredRuns(trials);
}

const iteration = (start, ns, i = 0) => ({ i, s: start, e: start + Math.round(ns) });

function severalFrom(start, { level, random }) {
  const iterations = [];
  let now = start;
  for (let i = 0; i < asyncIterations; i++) {
    const one = iteration(now, level * Math.exp(0.01 * random.normal()), i);
    iterations.push(one);
    now = one.e;
  }
  return iterations;
}
