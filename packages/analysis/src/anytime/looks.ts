import type { ExperimentConfig } from '@deadheat/model';
import { fewestAnytimeValues } from '@deadheat/stats';

/** Up to so many runs there is a look after every run or block of two; then after every hundredth more. */
const closeLooks = 200;
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
  return swap === 'pair' && method !== 'tandem' ? 2 : 1;
}

/** After which runs a rule looks, in order and without end; none for rules that do not look at what was measured. */
function* looks({ stop, confidence, ...rest }: Schedule): Generator<number, void> {
  if (stop.kind !== 'decided' && stop.kind !== 'precision') return;
  const step = runsOfBlock(rest);
  const whole = (runs: number): number => step * Math.ceil(runs / step);
  let look = whole(Math.max(stop.minRuns, fewestAnytimeValues(confidence)));
  while (true) {
    yield look;
    look = look < closeLooks ? look + step : whole(look * growth);
  }
}

/**
 * How many times a rule has looked when `runs` runs are in: what was seen at each of these looks could have ended the
 * measurement. Looks are fixed beforehand, after whole blocks where the sides trade cores at every pair.
 */
export function looksUpTo(runs: number, schedule: Schedule): number {
  let count = 0;
  for (const look of looks(schedule)) {
    if (look > runs) break;
    count++;
  }
  return count;
}

/** Whether a rule looks after `runs` runs. */
export function isLook(runs: number, schedule: Schedule): boolean {
  for (const look of looks(schedule)) if (look >= runs) return look === runs;
  return false;
}
