// Ways to spend an error budget over attempts without a known end: the level of each attempt, given which of the earlier ones were kept.
import { shareOf } from '../../core/deadheat/dist/attempt/budget.js';

/** Numbers of attempts that sums without an end are cut at: what is behind is below a thousandth of the budget. */
const most = 2_000_000;

function normalised(weight) {
  let sum = 0;
  for (let i = 1; i <= most; i++) sum += weight(i);
  return (i) => weight(i) / sum;
}

const slowly = normalised((i) => 1 / ((i + 1) * Math.log(i + 1) ** 2));
/** Share of what is left that e-LORD invests in an attempt. */
const invested = 0.02;

/** By name: makes `(error) => (kept) => level`, `kept` having a place for every attempt before. */
export const rules = {
  // A. Ramdas et al. 2017 and the union bound: the loop keeps anything false with at most this probability.
  '6 / (pi^2 i^2)': (error) => (kept) => error * shareOf(kept.length + 1),
  '1 / (i log^2 i)': (error) => (kept) => error * slowly(kept.length + 1),
  // e-LORD: Y. Zhang, Z. Wei, H. Ren, C. Zou, e-GAI: e-value-based generalized alpha-investing for online FDR control (2025). Of what is kept, at most
  // this share is false on the average.
  'e-LORD': (error) => {
    let [wealth, count, seen] = [error, 0, 0];
    let last = 0;
    return (kept) => {
      for (; seen < kept.length; seen++) {
        wealth -= last / (count + 1);
        if (kept[seen]) count += 1;
      }
      last = invested * wealth * (count + 1);
      return last;
    };
  },
};
