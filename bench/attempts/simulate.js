// Simulated loops of attempts on the log ratios of recorded programs.
import { readFileSync } from 'node:fs';
import {
  anytimeRatio,
  anytimeVerdict,
  givingUp,
  isHardlyFaster,
} from '../../core/analysis/dist/anytime/anytime-ratio.js';
import { createRandom, fewestAnytimeValues } from '@deadheat/stats';

/** Log ratios of a program to itself, around 0; `bench -- attempts record` makes them. */
export const spreads = JSON.parse(readFileSync(new URL('spreads.json', import.meta.url), 'utf8'));

/** Runs that the limits allow an attempt: those of a full comparison. */
export const mostRuns = 60;
export const error = 0.05;

/** By name, what is done to log ratios that are drawn from a recording. */
export const shapes = {
  'as recorded': (draw) => draw,
  'spikes in 1 of 20 runs': (draw, random) => () =>
    draw() + (random.next() < 0.05 ? (random.next() < 0.5 ? 1 : -1) * Math.log(1.2 + 0.3 * random.next()) : 0),
  'neighbours correlate by 0.2': (draw) => {
    let last = draw();
    return () => (last = 0.2 * last + Math.sqrt(1 - 0.2 ** 2) * draw());
  },
};

/** One attempt: whether it is kept, and its runs. */
export function attempt(draw, { truth, level }) {
  const confidence = 1 - level;
  const values = [];
  for (let n = 1; n <= mostRuns; n++) {
    values.push(truth + draw());
    if (n < fewestAnytimeValues(Math.min(confidence, givingUp))) continue;
    const ratio = anytimeRatio(values, { confidence, conditions: null });
    const verdict = anytimeVerdict(ratio, 0);
    if (verdict !== 'undecided') return { kept: verdict === 'faster', runs: n };
    if (isHardlyFaster(ratio, { margin: 0, mostRuns })) return { kept: false, runs: n };
  }
  return { kept: false, runs: mostRuns };
}

/**
 * A loop of attempts, of which `gains`, at drawn places, are truly faster by `gain` than what was best before.
 *
 * @returns kept gains and kept others, runs of the attempts that change nothing, and the error of the total of fresh runs
 */
export function loop({ program, shape, rule, attempts, gains, gain, seed }) {
  const random = createRandom(`attempts ${program} ${shape} ${gains} ${seed}`);
  const own = spreads[program];
  const draw = shapes[shape](() => own[random.int(own.length)], random);
  const places = new Set();
  while (places.size < gains) places.add(random.int(attempts));
  const levelOf = rule(error);
  const kept = [];
  const found = { gains: 0, false: 0, runs: [] };
  for (let i = 0; i < attempts; i++) {
    const truth = places.has(i) ? Math.log(1 - gain) : 0;
    const result = attempt(draw, { truth, level: levelOf(kept) });
    kept.push(result.kept);
    if (truth === 0) found.runs.push(result.runs);
    if (result.kept) found[truth === 0 ? 'false' : 'gains'] += 1;
  }
  return {
    ...found,
    isAny: found.false + found.gains > 0,
    totalError: found.gains + found.false === 0 ? 0 : Math.abs(Math.expm1(totalOf(draw))),
  };
}

/** Precision of the total, relative, and the runs that its time limit allows. */
const precision = 0.005;
const mostRunsOfTotal = 600;

/** The log ratio of fresh runs until it is as precise as `attempt end` asks for. */
function totalOf(draw) {
  const values = [];
  for (;;) {
    values.push(draw());
    if (values.length < fewestAnytimeValues(1 - error)) continue;
    const { estimate, low, high, log } = anytimeRatio(values, { confidence: 1 - error, conditions: null });
    if (Math.max(high - estimate, estimate - low) <= precision * estimate || values.length >= mostRunsOfTotal)
      return log.mean;
  }
}
