// What a plan brings: a calibration is drawn, its plan is made, and the planned experiment judged.
import { calibrate, compareBenchmark, measuredRuns, planDimensions } from '@deadheat/analysis';
import { createRandom } from '@deadheat/stats';
import { madeUpTrial } from '../lib/made-up.js';
import { simulatedExperiment, ways } from './recordings.js';

/** Time of an iteration, and of a run before its first, ns. */
const iterationNs = 50e6;
const startNs = 1e9;

/** By name, the standard deviations of a side's log times of runs, of segments and of measurements, and shifts an iteration. */
export const models = {
  'run effects': { run: 0.01, segment: 0, measurement: 0.01, rate: 0 },
  'small run effects': { run: 0.003, segment: 0, measurement: 0.02, rate: 0 },
  'no run effects': { run: 0, segment: 0, measurement: 0.02, rate: 0 },
  segments: { run: 0.004, segment: 0.01, measurement: 0.01, rate: 0.02 },
};

/** By name, what is planned for. */
export const goals = {
  '1 % in 80 %': { kind: 'detect', slowdown: 0.01, power: 0.8 },
  '2 % in 80 %': { kind: 'detect', slowdown: 0.02, power: 0.8 },
  '1 % to each side': { kind: 'half-width', halfWidth: Math.log1p(0.01) },
};

function iterationsOf({ run, segment, measurement, rate }, { count, ratio, random }) {
  const level = run * random.normal();
  let shift = segment * random.normal();
  const start = 1e12;
  let now = start;
  return Array.from({ length: count }, (_, i) => {
    if (random.next() < rate) shift = segment * random.normal();
    const began = now;
    now += Math.round(iterationNs * ratio * Math.exp(level + shift + measurement * random.normal()));
    return { i, s: began, e: now, c: now - began };
  });
}

function runsOf({ way, model }, { runs, iterations, ratio = 1, random }) {
  const { method } = ways[way];
  const trials = Array.from({ length: runs }, (_, run) => {
    const side = (name) => ({
      cpu: 0,
      iterations: iterationsOf(models[model], { count: iterations, ratio: name === 'B' ? ratio : 1, random }),
    });
    const trial = madeUpTrial(run, { method, sides: { A: side('A'), B: side('B') } });
    const spans = ['A', 'B'].map((name) => {
      const all = trial.sides[name].iterations;
      return all.at(-1).e - all[0].s;
    });
    const wallNs = startNs + (method === 'sequential' ? spans[0] + spans[1] : Math.max(...spans));
    return { ...trial, wallNs };
  });
  return measuredRuns(trials);
}

/**
 * Draws calibrations, plans an experiment by each and judges it; B is slower by what is to be detected.
 *
 * @param {object} cell `way`, `model`, `goal`, `shortRuns`, `confidence`
 * @returns counts of plans, of experiments that say `slower` and of those whose interval reaches further than planned, and sums
 */
export function plans({ way, model, goal, shortRuns, confidence }, { draws, settings }) {
  const found = { draws, planned: 0, slower: 0, missed: 0, runs: 0, iterations: 0 };
  const wanted = goals[goal];
  for (let draw = 0; draw < draws; draw++) {
    const random = createRandom(`plans ${way} ${model} ${goal} ${shortRuns} ${draw}`);
    const all = { ...settings, confidence, seed: String(draw), warmup: { kind: 'none' } };
    const { benchmark, config } = simulatedExperiment(way, all);
    const made = (runs, iterations) => ({ benchmark, runs: runsOf({ way, model }, { runs, iterations, random }) });
    const calibration = calibrate({ long: made(5, 150), short: made(shortRuns, 30), config });
    const plan = planDimensions({
      models: [calibration.model],
      costs: calibration.costs,
      goal: wanted,
      rules: { confidence, mostIterations: 1000 },
    });
    if (plan === null) continue;
    const ratio = wanted.kind === 'detect' ? 1 + wanted.slowdown : 1;
    const { verdict, interval } = compareBenchmark({
      runs: runsOf({ way, model }, { ...plan, ratio, random }),
      benchmark,
      config: { ...config, stop: { kind: 'runs', runs: plan.runs } },
    });
    found.planned++;
    found.runs += plan.runs;
    found.iterations += plan.iterations;
    if (verdict === 'slower') found.slower++;
    const { low, high } = interval;
    if (Math.log(high / low) / 2 > plan.halfWidths[0]) found.missed++;
  }
  return found;
}
