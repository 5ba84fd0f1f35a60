import { methodFacts, sides, type Method, type Trial, type Warning } from '@deadheat/model';
import { median, quantile } from '@deadheat/stats';
import { correlationOf } from '../disturbance/explained-spread.ts';
import { at } from '../internal/lists.ts';
import { joinSingle, type TimedRun } from '../metric/iteration-times.ts';
import { lengthsOf, type UsableRun } from '../pairing/select-runs.ts';
import { observedThreads, severalThreads, sideResults } from '../metric/choose-metric.ts';

const ownOnes = 'with {side} in the command or $DEADHEAT_SIDE';

/** With fewer runs a correlation says little. */
const fewestRuns = 10;
/** A correlation below this, of sides that share disturbances and so are correlated above 0 ... */
const opposed = -0.7;
/** ... whose waiting changes by this share of the wall time in the middle four fifths of the runs. */
const changing = 0.05;
/** Quantile 0.001 of the normal distribution, which Fisher's z of a correlation, atanh(r) sqrt(n - 3), has to fall below. */
const certain = -3.09;

/**
 * SIDES_WAIT, by measured runs: a side waits long when the other one does not, as with a lock that either has for its whole execution.
 *
 * @param runs of commands that were executed together, one iteration a run
 */
export function sidesWaitInTurn(runs: readonly UsableRun[]): Warning[] {
  const { A, B } = lengthsOf(runs);
  const isSingle = (_: UsableRun, r: number): boolean => A[r] === 1 && B[r] === 1;
  const [single] = joinSingle(runs.every(isSingle) ? runs : runs.filter(isSingle));
  if (single === undefined) return [];
  const [ofA, ofB] = [waitsIn(single.iterations.A), waitsIn(single.iterations.B)];
  const isKnown = (_: number, r: number): boolean => Number.isFinite(at(ofA.waitsNs, r) + at(ofB.waitsNs, r));
  const known = (values: Float64Array): Float64Array => (values.every(isKnown) ? values : values.filter(isKnown));
  const [a, b] = [ofA, ofB].map(({ waitsNs, wallsNs }) => ({
    waitsNs: known(waitsNs),
    wallsNs: known(wallsNs),
  })) as [Waits, Waits];
  const count = a.waitsNs.length;
  if (count < fewestRuns) return [];
  if (!changes(a) || !changes(b)) return [];
  const correlation = correlationOf(a.waitsNs, b.waitsNs);
  if (correlation > opposed || Math.atanh(correlation) * Math.sqrt(count - 3) > certain) return [];
  return [
    {
      code: 'SIDES_WAIT',
      message:
        `a side waits long in the runs in which the other does not (correlation ${correlation.toFixed(2)} over ${count} runs), ` +
        `so they wait for each other, and their times are not those that each has alone; give each its own lock, port, file or database ${ownOnes}, or use --method sequential`,
    },
  ];
}

interface Waits {
  readonly waitsNs: Float64Array;
  readonly wallsNs: Float64Array;
}

function changes({ waitsNs, wallsNs }: Waits): boolean {
  return quantile(waitsNs, 0.9) - quantile(waitsNs, 0.1) >= changing * median(wallsNs);
}

/** Time in which each iteration neither computed nor was kept from a CPU, not a number where that is not known, and its wall time, ns. */
function waitsIn(iterations: TimedRun['iterations']['A']): Waits {
  const { startsNs, endsNs } = iterations;
  const [cpuNs, delaysNs] = [iterations.metric('c'), iterations.metric('q')];
  const wallsNs = endsNs.map((end, row) => end - startsNs[row]!);
  const waitNs = (wallNs: number, row: number): number =>
    Math.max(0, wallNs - (cpuNs?.[row] ?? Number.NaN) - (delaysNs?.[row] ?? Number.NaN));
  return { waitsNs: wallsNs.map(waitNs), wallsNs };
}

/** SIDES_WAIT, by pilot runs, which compared the sides together with the sides alone. */
export function sidesWaited(
  name: string,
  { togetherNs, aloneNs }: { readonly togetherNs: number; readonly aloneNs: number },
): Warning {
  const ms = (timeNs: number): string => `${(timeNs / 1e6).toFixed(1)} ms`;
  return {
    code: 'SIDES_WAIT',
    message:
      `${name}: the sides wait for each other: together they waited ${ms(togetherNs)} in a pilot run, one after the other ${ms(aloneNs)}. ` +
      `They are run one after the other, which widens the interval; give each its own lock, port, file or database ${ownOnes}, and they can run together`,
  };
}

const mostNamed = 3;

interface ObservedOf {
  /** Runs of the benchmark, pilot runs too; those that were not observed say nothing. */
  readonly trials: readonly Trial[];
  readonly method: Method;
}

/** SAME_FILE_WRITTEN: both sides were seen writing the same file, and are measured at the same time. */
export function sameFileWritten(name: string, { trials, method }: ObservedOf): Warning[] {
  if (!methodFacts[method].together) return [];
  const [a, b] = sides.map((side) => new Set(trials.flatMap((trial) => trial.sides[side].observed?.written ?? [])));
  const both = [...(a ?? [])].filter((path) => b?.has(path) === true).toSorted();
  if (both.length === 0) return [];
  const named = both.slice(0, mostNamed).join(', ');
  const more = both.length > mostNamed ? ` and ${both.length - mostNamed} more` : '';
  return [
    {
      code: 'SAME_FILE_WRITTEN',
      message:
        `${name}: both sides write ${named}${more}, and they run at the same time, so that each may find what the other left there; ` +
        `give each its own ${ownOnes}, its own copy of the folder with --scratch, or use --method sequential`,
    },
  ];
}

/** THREADS_CONFINED: a command computes in several threads at once, and the method gives each side a single core. */
export function threadsConfined(name: string, { trials, method }: ObservedOf): Warning[] {
  if (methodFacts[method].cpus === 'all') return [];
  const threads = sides.map((side) => observedThreads(sideResults(side, trials))?.threads ?? 1);
  if (Math.max(...threads) <= severalThreads) return [];
  const [a, b] = threads.map((mean) => mean.toFixed(2));
  return [
    {
      code: 'THREADS_CONFINED',
      message:
        `${name}: a side computes in several threads at once (on average A ${a}, B ${b}), and ${method} gives it one core, ` +
        'so that what the threads gain on several cores is not in the result; use --method sequential, which gives each side all CPUs',
    },
  ];
}
