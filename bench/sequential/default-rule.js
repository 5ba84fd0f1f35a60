// The default of 20 runs against a rule that decides: verdicts after as many runs, and runs until there is one; 99 %, without a margin.
import { anytimeRatio, anytimeVerdict } from '../../core/analysis/dist/anytime/anytime-ratio.js';
import { createRandom, signedRankShift } from '@deadheat/stats';

const confidence = 0.99;
const fixedRuns = 20;
const firstLook = 14;
/** Pairs of 0.3 s within 60 s. */
const mostRuns = 200;
const deadHeat = Math.log(1.02);
/** Spreads of log ratios with which 20 runs have the widths that A/A of gzip, python, sort and node had in a tandem. */
const spreads = [0.006, 0.014, 0.018, 0.021];
const changes = [0, 0.02, 0.05, 0.2, 1];
const disturbed = 1 / 20;

function verdictOf({ low, high }) {
  if (low > 0) return 'slower';
  if (high < 0) return 'faster';
  return low >= -deadHeat && high <= deadHeat ? 'dead-heat' : 'undecided';
}

function drawRun(random, { spread, change, odds }) {
  const log = Math.log1p(change) + spread * random.normal();
  if (random.next() >= odds) return log;
  return log + (random.int(2) === 0 ? 1 : -1) * Math.log(1.2 + 0.3 * random.next());
}

/** Verdict of 20 runs by ranks, and the first by the interval that holds at every look with its run. */
function bothRules(random, shape) {
  const logs = Float64Array.from({ length: mostRuns }, () => drawRun(random, shape));
  const fixed = verdictOf(signedRankShift(logs.slice(0, fixedRuns)).interval(confidence));
  for (let runs = firstLook; runs <= mostRuns; runs++) {
    const verdict = anytimeVerdict(anytimeRatio(logs.slice(0, runs), { confidence, conditions: null }), 0);
    if (verdict !== 'undecided') return { fixed, decided: verdict, runs };
  }
  return { fixed, decided: 'undecided', runs: mostRuns };
}

/** Header and rows. */
export function compareDefaults(duets) {
  const percent = (count) => `${Math.round((100 * count) / duets)} %`;
  const shapes = [0, disturbed].flatMap((odds) =>
    spreads.flatMap((spread) => changes.map((change) => ({ spread, change, odds }))),
  );
  const rows = shapes.map((shape) => {
    const { spread, change, odds } = shape;
    const found = Array.from({ length: duets }, (_, duet) =>
      bothRules(createRandom(`default ${spread} ${change} ${odds} ${duet}`), shape),
    );
    const truth = change === 0 ? 'dead-heat' : 'slower';
    const count = (isRight) => percent(found.filter(isRight).length);
    const runs = found.map((one) => one.runs).sort((a, b) => a - b);
    return [
      `${(100 * spread).toFixed(1)} %${odds > 0 ? ', disturbed' : ''}`,
      `${100 * change} %`,
      count(({ fixed }) => fixed === truth),
      count((one) => one.decided === truth && one.runs <= fixedRuns),
      count(({ decided }) => decided === truth),
      `${Math.round(runs.reduce((sum, one) => sum + one, 0) / duets)}, ${runs[Math.floor(duets / 2)]}, ${runs[Math.floor(0.9 * duets)]}`,
    ];
  });
  const header = [
    'spread',
    'B slower by',
    'right after 20 runs',
    'decided by 20',
    'decided by 200',
    'runs: mean, median, 90 %',
  ];
  return [header, rows];
}
