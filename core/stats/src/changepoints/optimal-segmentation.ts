import type { SegmentCost } from './segment-cost.ts';

/** Options of a segmentation: see `pelt`. */
export interface SegmentationSettings {
  readonly penalty: number;
  readonly minSegmentLength: number;
  /** Add ln(length) to each segment's cost (the modified BIC). */
  readonly logLength: boolean;
  /** Largest number of candidates that are kept; Infinity gives the exact optimum. */
  readonly maxCandidates: number;
  /** Exact solutions of the same series and rules at a smaller and a larger penalty: they save most of the search. */
  readonly between?: { readonly smaller: Solution; readonly larger: Solution } | undefined;
}

/** The optimum of every beginning of a series. */
export interface Solution {
  readonly penalty: number;
  /** The least cost of the first t values, penalties included, and the start of its final segment. */
  readonly best: Float64Array;
  readonly previous: Int32Array;
  /** The last index of every segment of the whole series but the final one, ascending. */
  readonly changepoints: Int32Array;
}

const settleSteps = 4;

/** By how much rounding may set two sums apart that are equal, relative to them. */
const roundingShare = 1e-11;

/** Room for a growing list of candidates: the position, its value at the last two surveys, and whether it is ruled out. */
class Candidates {
  positions: Int32Array = new Int32Array(1024);
  current: Float64Array = new Float64Array(1024);
  pending: Float64Array = new Float64Array(1024);
  left: Int32Array = new Int32Array(1024);
  out: Uint8Array = new Uint8Array(1024);
  count = 0;

  push(position: number): void {
    if (this.count === this.positions.length) {
      const size = 2 * this.count;
      const positions = new Int32Array(size);
      positions.set(this.positions);
      this.positions = positions;
      const current = new Float64Array(size);
      current.set(this.current);
      this.current = current;
      const pending = new Float64Array(size);
      pending.set(this.pending);
      this.pending = pending;
      this.left = new Int32Array(size);
      const out = new Uint8Array(size);
      out.set(this.out);
      this.out = out;
    }
    this.positions[this.count] = position;
    this.out[this.count] = 0;
    this.count++;
  }
}

function groupSize(count: number): number {
  return count < 2000 ? 16 : 128;
}

/** The smallest of each group of values, into `minima` or a longer array. */
function groupMinima(minima: Float64Array, values: Float64Array, count: number, group: number): Float64Array {
  const groups = Math.ceil(count / group);
  const out = groups > minima.length ? new Float64Array(2 * groups) : minima;
  for (let g = 0; g < groups; g++) {
    let low = Infinity;
    const end = Math.min((g + 1) * group, count);
    for (let i = g * group; i < end; i++) if (values[i]! < low) low = values[i]!;
    out[g] = low;
  }
  return out;
}

/**
 * Optimal partitioning with PELT's pruning and a second, lazy bound that leaves most candidates unvisited; the optimum is exact.
 *
 * F(t) = min over s of F(s) + C(s, t) + penalty. Every now and then all candidates are surveyed: V(s) = F(s) + C(s, u), or a
 * lower bound of it without a logarithm where that already shows that s is not the best, for the present u. Splitting never raises a cost, so at a later t no candidate can be below V(s) + C(u, t); only those for which this is
 * below the best value found so far are evaluated. The smallest V of each group of candidates is kept, so that most groups cost one
 * comparison. A survey is used once four more points have come, since C(u, t) of very short segments says little; until then the
 * one before it serves. Candidates younger than the survey in use are always evaluated.
 *
 * A candidate with V(s) > F(u) can never be the last change of an optimum ending at least minSegmentLength after u (Killick,
 * Fearnhead and Eckley 2012, theorem 3.1); it leaves at the next survey, which is that much later.
 *
 * Between two solved penalties most of the search is spared. Let L be the straight line between the F of a smaller and that of a larger
 * penalty, and h(s) = F(s) - L(s). At both penalties F(s') + C(s', t) + penalty >= F(t), so that in between it is at least L(t) + h(s');
 * where both put the last change before t at s, that candidate has exactly L(t) + h(s). It stays the best unless another has a smaller h;
 * only then is the search done as ever.
 */
export function optimalSegmentation(costs: SegmentCost, settings: SegmentationSettings): Solution {
  const { penalty, minSegmentLength: shortest, logLength, maxCandidates, between } = settings;
  const n = costs.length;
  const room = costs.room;
  const best = new Float64Array(n + 1);
  const previous = new Int32Array(n + 1);
  best[0] = -penalty;
  const list = new Candidates();
  let minima: Float64Array = new Float64Array(16);
  let group = 16;

  let surveyed = 0;
  let surveyedAt = 0;
  let pendingCount = 0;
  let pendingAt = -1;
  let last = 0;

  const heights = new Float64Array(between === undefined ? 0 : n + 1);
  const weight =
    between === undefined
      ? 0
      : (penalty - between.smaller.penalty) / (between.larger.penalty - between.smaller.penalty);
  // The smallest height of a candidate, and from where on what was ruled out need not count.
  let lowest = Infinity;
  let lowestFrom = 0;

  const logs = new Float64Array(logLength ? n + 1 : 0);
  for (let m = 1; m < logs.length; m++) logs[m] = Math.log(m);

  function value(s: number, t: number): number {
    return best[s]! + costs.cost(s, t) + (logLength ? logs[t - s]! : 0);
  }

  for (let t = shortest; t <= n; t++) {
    const entering = t - shortest;
    if (entering === 0 || entering >= shortest) {
      list.push(entering);
      if (between !== undefined) lowest = Math.min(lowest, heights[entering]!);
    }

    const dueSurvey = Math.max(2 * settleSteps, shortest, Math.floor(Math.sqrt(5 * list.count)));
    const survey = t - Math.max(pendingAt, surveyedAt) >= dueSurvey && pendingAt < 0;

    let known = -1;
    let line = 0;
    if (between !== undefined) {
      const { smaller, larger } = between;
      line = (1 - weight) * smaller.best[t]! + weight * larger.best[t]!;
      const s = smaller.previous[t]!;
      const close = roundingShare * Math.max(1, Math.abs(line));
      if (t >= lowestFrom && s === larger.previous[t]! && heights[s]! <= lowest + close) known = s;
    }
    let winner = known >= 0 ? known : last;
    const v0 = costs.variance(winner, t);
    const logV0 = Math.log(v0);
    let least = best[winner]! + costs.costOfVariance(winner, t, v0, logV0) + (logLength ? logs[t - winner]! : 0);

    if (known >= 0) {
      // Nothing can be better.
    } else if (survey) {
      // Everything is evaluated now; what the survey before this one ruled out leaves the list.
      let kept = 0;
      let surveyedKept = 0;
      const { positions, current, pending, out, count } = list;
      costs.quickBounds(pending, best, positions, 0, count, t, v0, logV0);
      for (let i = 0; i < count; i++) {
        const s = positions[i]!;
        if (out[i] === 1) continue;
        let v = pending[i]! + (logLength ? logs[t - s]! : 0);
        if (v < least) {
          v = value(s, t);
          if (v < least) {
            least = v;
            winner = s;
          }
          if (room > 0) v += costs.lowerCost(s, t) - costs.cost(s, t);
        }
        pending[kept] = v;
        if (kept !== i) {
          positions[kept] = s;
          current[kept] = current[i]!;
          out[kept] = 0;
        }
        if (i < surveyed) surveyedKept++;
        kept++;
      }
      list.count = kept;
      surveyed = surveyedKept;
      if (kept < count) {
        group = groupSize(surveyed);
        minima = groupMinima(minima, current, surveyed, group);
      }
      const bestNow = least + penalty;
      const slack = 1e-9 * Math.max(1, Math.abs(bestNow));
      const limit = bestNow + slack + room;
      for (let i = 0; i < kept; i++) {
        if (!(pending[i]! > limit)) continue;
        const age = t - positions[i]!;
        // ln(length) is not sub-additive: two segments may cost that much more than one.
        if (!logLength || pending[i]! > limit + logs[Math.max(1, Math.min(age, n - t))]!) out[i] = 1;
      }
      if (kept > maxCandidates) {
        // The approximate mode: of the older three quarters only the better half stays. The young have yet to prove themselves.
        const old = kept - Math.floor(maxCandidates / 4);
        const cut = list.pending.slice(0, old).sort()[Math.floor(maxCandidates / 4)]!;
        for (let i = 0; i < old; i++) if (list.pending[i]! > cut) list.out[i] = 1;
      }
      if (between !== undefined) {
        lowest = Infinity;
        lowestFrom = t + shortest;
        for (let i = 0; i < kept; i++) if (out[i] === 0) lowest = Math.min(lowest, heights[positions[i]!]!);
      }
      pendingCount = kept;
      pendingAt = t;
    } else {
      const { left, positions, current, count } = list;
      const young = costs.survivors(left, best, positions, current, Infinity, surveyed, count, t, v0, logV0, least);
      for (let k = young - 1; k >= 0; k--) {
        const s = positions[left[k]!]!;
        const v = value(s, t);
        if (v < least) {
          least = v;
          winner = s;
        }
      }
      if (surveyed > 0) {
        const rest = costs.lowerCost(surveyedAt, t);
        const slack = 1e-9 * Math.max(1, Math.abs(least), Math.abs(rest));
        let limit = least - rest + slack;
        for (let from = 0, chunk = 0; from < surveyed; from += group, chunk++) {
          if (minima[chunk]! > limit) continue;
          const end = Math.min(from + group, surveyed);
          const old = costs.survivors(left, best, positions, current, limit, from, end, t, v0, logV0, least);
          for (let k = 0; k < old; k++) {
            const i = left[k]!;
            if (current[i]! > limit) continue;
            const s = positions[i]!;
            const v = value(s, t);
            if (v < least) {
              least = v;
              winner = s;
              limit = least - rest + slack;
            }
          }
        }
      }
    }
    best[t] = least + penalty;
    if (between !== undefined) heights[t] = best[t]! - line;
    previous[t] = winner;
    last = winner;

    if (pendingAt >= 0 && t - pendingAt >= settleSteps) {
      // The pending survey takes over.
      const swap = list.current;
      list.current = list.pending;
      list.pending = swap;
      surveyed = pendingCount;
      surveyedAt = pendingAt;
      pendingAt = -1;
      group = groupSize(surveyed);
      minima = groupMinima(minima, list.current, surveyed, group);
    }
  }

  const changes: number[] = [];
  for (let t = previous[n]!; t > 0; t = previous[t]!) changes.push(t - 1);
  return { penalty, best, previous, changepoints: Int32Array.from(changes.reverse()) };
}
