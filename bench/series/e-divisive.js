// Change points by the method that the paper on Hunter (now Apache Otava) and its documentation describe, written from those alone:
// M. Fleming et al., "Hunter: Using Change Point Detection to Hunt for Performance Regressions", ICPE'23, arXiv 2301.03034, after
// D. S. Matteson, N. A. James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", arXiv 1306.4933.
import { studentTSf } from '@deadheat/stats';

/**
 * Indices of the first value of every level but the first. Windows of 50 values that overlap by half are split at the largest energy
 * distance for as long as Student's t test says p < 10 * 0.001; of all these weak change points, those that the test does not confirm at
 * 0.001 between their neighbours leave, the least sure first, and then those below the least relative change.
 */
export function eDivisive(values, { window = 50, mostP = 0.001, leastChange = 0 } = {}) {
  const weak = new Set();
  const last = Math.max(0, values.length - window);
  for (let from = 0; ; from = Math.min(last, from + Math.floor(window / 2))) {
    splitHierarchically(values, { from, to: Math.min(values.length, from + window), mostP: 10 * mostP, found: weak });
    if (from >= last) break;
  }
  const changes = [...weak].toSorted((a, b) => a - b);
  const leastSure = (measure, limit) => {
    for (;;) {
      const measured = changes.map((at, k) =>
        measure(values.slice(changes[k - 1] ?? 0, at), values.slice(at, changes[k + 1] ?? values.length)),
      );
      const worst = measured.indexOf(Math.max(...measured));
      if (worst === -1 || measured[worst] <= limit) return;
      changes.splice(worst, 1);
    }
  };
  leastSure(pValue, mostP);
  leastSure((before, after) => -Math.abs(mean(after) / mean(before) - 1), -leastChange);
  return changes;
}

function splitHierarchically(values, { from, to, mostP, found }) {
  const at = from + bestSplit(values.slice(from, to));
  if (at === from || pValue(values.slice(from, at), values.slice(at, to)) > mostP) return;
  found.add(at);
  splitHierarchically(values, { from, to: at, mostP, found });
  splitHierarchically(values, { from: at, to, mostP, found });
}

/** The tau of the largest Q(tau, kappa), of the first tau values and those up to kappa; 0 = there are too few. */
function bestSplit(values) {
  const n = values.length;
  // within[i][j]: the sum of the distances of all pairs among the values i to j - 1.
  const within = Array.from({ length: n + 1 }, () => new Float64Array(n + 1));
  for (let i = n - 1; i >= 0; i--) {
    let toFirst = 0;
    for (let j = i + 1; j <= n; j++) {
      toFirst += Math.abs(values[j - 1] - values[i]);
      within[i][j] = within[i + 1][j] + toFirst;
    }
  }
  const pairs = (count) => Math.max(1, (count * (count - 1)) / 2);
  let best = 0;
  let most = -Infinity;
  for (let kappa = 2; kappa <= n; kappa++) {
    for (let tau = 1; tau < kappa; tau++) {
      const rest = kappa - tau;
      const between = within[0][kappa] - within[0][tau] - within[tau][kappa];
      const energy = (2 * between) / (tau * rest) - within[0][tau] / pairs(tau) - within[tau][kappa] / pairs(rest);
      const q = ((tau * rest) / kappa) * energy;
      if (q > most) {
        most = q;
        best = tau;
      }
    }
  }
  return best;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of Student's t test with one variance for both samples, two-sided; one of them may be a single value. */
function pValue(first, second) {
  const df = first.length + second.length - 2;
  if (df < 1) return 1;
  const squares = (values, middle) => values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const [a, b] = [mean(first), mean(second)];
  const variance = (squares(first, a) + squares(second, b)) / df;
  if (variance === 0) return a === b ? 1 : 0;
  return 2 * studentTSf(Math.abs(a - b) / Math.sqrt(variance * (1 / first.length + 1 / second.length)), df);
}
