// What would decide sooner, and what it costs: first verdicts at 99 % by the interval that is used, by its variants and beside it by bets on the
// sign of symmetric values. Runs are looked at after every one, up to 80.
import { settleValues } from '../../core/analysis/dist/anytime/anytime-ratio.js';
import { anytimeSkewnessShift, anytimeTCritical, createRandom, mean, rankVonNeumann, variance } from '@deadheat/stats';

const mostRuns = 80;
const error = 0.01;
/** Runs from which the interval that is used says something. */
const usedFrom = 14;

function skewnessOf(values) {
  const [n, centre] = [values.length, mean(values)];
  const cubes = values.reduce((sum, value) => sum + (value - centre) ** 3, 0);
  return ((Math.sqrt(n * (n - 1)) / (n - 2)) * (cubes / n)) / variance(values) ** 1.5;
}

/** The interval that is used, from another number of runs, with a least variance for correlated runs and a share of the error before the 14th. */
function intervalFrom(from, { least = 1, share = 1, errors = error } = {}) {
  return (all) => {
    const n = all.length;
    if (n < from) return false;
    const isEarly = n < usedFrom;
    const { values, inflation } = settleValues(all, null);
    const confidence = 1 - errors * (isEarly ? share : 1);
    const critical = anytimeTCritical({ size: n, degrees: n - 1, confidence });
    const t = mean(values) / Math.sqrt(variance(values) / n);
    if (!(Math.abs(t) > critical)) return false;
    const skewness = skewnessOf(values);
    // Zero lies on the side of the shorter tail where mean and skewness differ in their signs.
    const shift = t * skewness < 0 ? anytimeSkewnessShift({ critical, skewness, size: n }) : 0;
    return Math.abs(t) > (critical + shift) * Math.sqrt(Math.max(inflation, isEarly ? least : 1));
  };
}

const shifts = [0.5, 1, 1.5, 2, 3].flatMap((shift) => [shift, -shift]);
const farthest = 4;

/** A mixture of bets on the sign of every value, for shifts in root mean squares of those before it: a fair game where values are symmetric about 0. */
function evidenceOf(values) {
  const logs = shifts.map(() => 0);
  let squares = 0;
  values.forEach((value, i) => {
    const spread = Math.sqrt(squares / Math.max(1, i));
    if (i >= 2 && spread > 0) {
      const z = Math.max(-farthest, Math.min(farthest, value / spread));
      shifts.forEach((shift, k) => (logs[k] += Math.LN2 - Math.log1p(Math.exp(-2 * z * shift))));
    }
    squares += value * value;
  });
  return mean(logs.map(Math.exp));
}

const bets = (values) => values.length >= 5 && evidenceOf(values) >= 1 / error;

/** Bets at half of the error while nothing is far, skewed or like its neighbours; beside them the interval at the other half. */
function betsBesideInterval(values) {
  const n = values.length;
  if (intervalFrom(usedFrom, { errors: error / 2 })(values)) return true;
  if (n < 5 || evidenceOf(values) < 2 / error) return false;
  const [centre, deviation] = [mean(values), Math.sqrt(variance(values))];
  const isFar = values.some((value) => Math.abs(value - centre) > 3 * deviation);
  return !isFar && Math.abs(skewnessOf(values)) <= Math.sqrt(6 / n) && rankVonNeumann(values).p > 0.35;
}

const candidates = {
  'the interval, from 14 runs': intervalFrom(usedFrom),
  'from 9 runs': intervalFrom(9),
  'from 9 runs, 9 to 13 as of a correlation of 0.5': intervalFrom(9, { least: 3 }),
  'from 9 runs, 9 to 13 at a quarter of the error': intervalFrom(9, { share: 1 / 4 }),
  'bets on signs': bets,
  'bets, else the interval, each at half': betsBesideInterval,
};

/** Header and rows: median runs of each change in `changes`, false verdicts of each shape in `nulls`; both make a function that draws a run. */
export function compareCandidates(duets, { changes, nulls }) {
  const stopsOf = (isDecided, { name, start }) =>
    Array.from({ length: duets }, (_, duet) => {
      const draw = start(createRandom(`candidates ${name} ${duet}`));
      const values = Float64Array.from({ length: mostRuns }, draw);
      for (let n = 5; n <= mostRuns; n++) if (isDecided(values.slice(0, n))) return n;
      return Infinity;
    }).sort((a, b) => a - b);
  const rows = Object.entries(candidates).map(([candidate, isDecided]) => [
    candidate,
    ...Object.entries(changes).map(([name, start]) => stopsOf(isDecided, { name, start })[Math.floor(duets / 2)]),
    ...Object.entries(nulls).map(([name, start]) => {
      const found = stopsOf(isDecided, { name, start }).filter((runs) => runs < Infinity).length;
      return `${((100 * found) / duets).toFixed(1)} %`;
    }),
  ]);
  return [['candidate', ...Object.keys(changes), ...Object.keys(nulls)], rows];
}
