import { methodFacts, stopRuleOf, type ExperimentConfig } from '@deadheat/model';
import { fewestAnytimeValues } from '@deadheat/stats';

/** Up to this many runs there is an interim analysis after every run or block of two; then after every hundredth more. */
const closeAnalyses = 200;
const growth = 1.01;

/**
 * The confidence at which one of several comparisons is to be decided so that it counts among all of them: Holm's correction
 * and Benjamini and Hochberg's count every p value up to the level over their number (Bonferroni's bound).
 *
 * @param comparisons how many there are, at least 1.
 */
export function familyConfidence(confidence: number, comparisons: number): number {
  return 1 - (1 - confidence) / Math.max(1, comparisons);
}

type Schedule = Pick<ExperimentConfig, 'stop' | 'swap' | 'method' | 'confidence'>;

/** Runs that belong together: two where the sides trade cores at every pair; a tandem has no cores to trade. */
export function runsOfBlock({ swap, method }: Pick<ExperimentConfig, 'swap' | 'method'>): 1 | 2 {
  return swap === 'pair' && methodFacts[method].cpus !== 'one-shared' ? 2 : 1;
}

/** The numbers of runs after which there is an interim analysis, in order and without end; none for rules that have none. */
function* interimAnalyses({ stop, confidence, ...rest }: Schedule): Generator<number, void> {
  const { interim } = stopRuleOf(stop);
  if (interim === null) return;
  const step = runsOfBlock(rest);
  const whole = (runs: number): number => step * Math.ceil(runs / step);
  let next = whole(Math.max(interim.from, fewestAnytimeValues(confidence)));
  while (true) {
    yield next;
    next = next < closeAnalyses ? next + step : whole(next * growth);
  }
}

/**
 * The number of interim analyses up to `runs` runs: each of them could have ended the measurement. They are fixed
 * beforehand, after whole blocks where the sides trade cores at every pair.
 */
export function countInterimAnalyses(runs: number, schedule: Schedule): number {
  let count = 0;
  for (const next of interimAnalyses(schedule)) {
    if (next > runs) break;
    count++;
  }
  return count;
}

/** True if there is an interim analysis after `runs` runs. */
export function isInterimAnalysis(runs: number, schedule: Schedule): boolean {
  for (const next of interimAnalyses(schedule)) if (next >= runs) return next === runs;
  return false;
}
