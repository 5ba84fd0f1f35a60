import { methodFacts, sides, type SideResult, type Trial } from '@deadheat/model';
import { median } from '@deadheat/stats';
import { observedThreads } from './observed-threads.ts';

/**
 * A busy machine adds as much to runs together: a launcher that shares the core of its program learns late that it has ended. Where a
 * lock is held for less, SIDES_WAIT by measured runs finds it.
 */
const leastExcessNs = 25_000_000;
/** This share of the time that both sides take alone is suspicious, and ... */
const suspicious = 0.1;
/** ... enough by itself, however few the runs are. */
const evident = 0.25;
/** With as many runs of each kind an excess in all of them is no chance: 1 in 20, above the threshold. */
const enoughAlone = 3;

/** Waiting time of two sides in pilot runs, both together, median of the runs, ns. */
export interface WaitingTogether {
  readonly togetherNs: number;
  readonly aloneNs: number;
  /** True if they wait longer together beyond what the chance of so few runs explains. */
  readonly isCertain: boolean;
}

/**
 * Time, ns, in which a command neither computed nor was kept from a CPU; `null` where that is not known. The delay of its main thread
 * leaves out that of its children, which looking at all its threads does not: the smaller of both counts.
 */
function waitedNs(result: SideResult): number | null {
  const [one] = result.iterations;
  if (one?.c === undefined || one.q === undefined) return null;
  const wallNs = one.e - one.s;
  const byTimes = Math.max(0, wallNs - one.c - one.q);
  const observed = observedThreads([result]);
  return observed === null ? byTimes : Math.min(byTimes, (1 - observed.runnable) * wallNs);
}

/**
 * Waiting times of the sides in runs in which they were executed together, and one after the other. Whatever only one of them can have at a
 * time (a lock, a port, a disk) makes every run of the first kind wait longer than every run of the second.
 *
 * @param trials pilot runs of a command; failed ones do not count
 * @returns `null` where they do not wait longer together, or runs of one kind are missing
 */
export function waitingTogether(trials: readonly Trial[]): WaitingTogether | null {
  const waits = (isAlone: boolean): readonly number[] =>
    trials
      .filter(({ status, method }) => status === 'ok' && methodFacts[method].together !== isAlone)
      .flatMap((trial) => {
        const [a, b] = sides.map((side) => waitedNs(trial.sides[side]));
        return a == null || b == null ? [] : [a + b];
      });
  const [together, alone] = [waits(false), waits(true)];
  if (together.length === 0 || alone.length === 0) return null;
  const wallNs = median(
    trials
      .filter(({ method }) => !methodFacts[method].together)
      .map((trial) => sides.reduce((sum, side) => sum + wallOf(trial.sides[side]), 0)),
  );
  const excess = Math.min(...together) - Math.max(...alone);
  if (excess < Math.max(leastExcessNs, suspicious * wallNs)) return null;
  const isCertain = excess >= evident * wallNs || alone.length >= enoughAlone;
  return { togetherNs: median(together), aloneNs: median(alone), isCertain };
}

function wallOf({ iterations: [one] }: SideResult): number {
  return one === undefined ? 0 : one.e - one.s;
}

/** Result of pilot runs on whether the sides wait for each other; `perhaps` = more runs would decide. */
export function comparesWaiting(trials: readonly Trial[]): 'no' | 'perhaps' | 'yes' {
  const found = waitingTogether(trials);
  return found === null ? 'no' : found.isCertain ? 'yes' : 'perhaps';
}
