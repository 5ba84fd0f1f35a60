// The best that spending the error over looks at t intervals could do: every look at the same level (Pocock), the limit on the runs known
// beforehand, the level found by simulation of normal log ratios.
import { requiredRuns, createRandom, studentTSf } from '@deadheat/stats';

const mostRuns = 40;
const confidence = 0.99;
const firstLooks = [4, 6, 8, 10, 14];

/** Two-sided p-value of the t test after each run from the second on. */
function pValues(draw) {
  let sum = 0;
  let squares = 0;
  return Float64Array.from({ length: mostRuns }, (_, i) => {
    const value = draw();
    sum += value;
    squares += value * value;
    const runs = i + 1;
    if (runs < 2) return 1;
    const rest = squares - sum ** 2 / runs;
    return 2 * studentTSf(Math.abs(sum) / Math.sqrt((runs * rest) / (runs - 1)), runs - 1);
  });
}

const leastBetween = (ps, first, last) => ps.subarray(first - 1, last).reduce((least, p) => Math.min(least, p), 1);

/**
 * Header and rows: for each effect and power the fixed design, the design of the smallest median among those of that power, and how
 * often it errs with the shapes given.
 */
export function groupSequential(duets, { effects, powers, shapes }) {
  const simulate = (name, draw) =>
    Array.from({ length: duets }, (_, duet) => {
      const random = createRandom(`group ${name} ${duet}`);
      return pValues(() => draw(random));
    });
  const nulls = simulate('normal', (random) => random.normal());
  const hard = Object.entries(shapes).map(([name, draw]) => simulate(name, draw));
  const levels = new Map();
  const levelOf = (first, last) => {
    const key = `${first} ${last}`;
    if (!levels.has(key)) {
      const least = nulls.map((ps) => leastBetween(ps, first, last)).sort((a, b) => a - b);
      levels.set(key, least[Math.floor((1 - confidence) * duets)]);
    }
    return levels.get(key);
  };
  const rows = [];
  for (const [name, effect] of Object.entries(effects)) {
    const shifted = simulate('normal', (random) => effect + random.normal());
    for (const power of powers) {
      const fixed = requiredRuns({ standardDeviation: 1, ratio: Math.exp(effect), confidence, power });
      let best = null;
      for (const first of firstLooks) {
        for (let last = Math.max(first, fixed); last <= mostRuns; last++) {
          const level = levelOf(first, last);
          const stops = shifted.map((ps) => {
            const place = ps.subarray(first - 1, last).findIndex((p) => p < level);
            return place < 0 ? Infinity : first + place;
          });
          if (stops.filter((runs) => runs < Infinity).length < power * duets) continue;
          const median = stops.sort((a, b) => a - b)[Math.floor(duets / 2)];
          if (best === null || median < best.median) best = { median, first, last, level };
          break;
        }
      }
      if (best === null) continue;
      const { median, first, last, level } = best;
      const errors = hard.map((all) => all.filter((ps) => leastBetween(ps, first, last) < level).length / duets);
      const told = errors.map((error) => `${(100 * error).toFixed(1)} %`);
      rows.push([
        name,
        power,
        fixed,
        `${median} (${((100 * median) / fixed).toFixed(0)} %)`,
        `${first} … ${last}`,
        ...told,
      ]);
    }
  }
  return [['noise', 'power', 'fixed', 'median', 'looks at', ...Object.keys(shapes)], rows];
}
