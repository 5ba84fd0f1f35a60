import {
  askedIntervalFacts,
  type Comparison,
  type ExperimentConfig,
  type AskedInterval,
  type Outlook,
  type Side,
  type Warning,
} from '@deadheat/model';
import { median, medianAbsoluteDeviation } from '@deadheat/stats';
import { leastOverlap, overlapShare, runsLeftOut, type PairedSpans } from '../pairing/overlaps.ts';
import type { UsableRun } from '../pairing/select-runs.ts';
import { wideningOf, type Dependence } from '../interval/rank-location.ts';
import { joinSingle } from '../metric/iteration-times.ts';

/** Where times were measured: by an experiment, whose options can give it more of them, or by another tool that wrote files. */
export type Origin = 'experiment' | 'files';

/** The way to more runs of another tool. */
export const moreOfTool =
  'Have the tool make more of them (forks, processes), or name a folder with the files of several';

/** Advice with the options that follow it, which do nothing for files. */
export function withOptions(advice: string, options: string, origin: Origin): string {
  return origin === 'files' ? advice : `${advice} (${options})`;
}

/** Advice on a number of runs, with the way to them. */
export function withRuns(advice: string, runs: number, origin: Origin): string {
  return origin === 'files' ? `${advice}. ${moreOfTool}` : `${advice} (--runs ${runs})`;
}

/** FAILED_RUNS_IGNORED: what failed is not in the result. */
export function failedRunsIgnored(counts: { readonly failed: number; readonly used: number }): Warning[] {
  return counts.failed === 0
    ? []
    : [
        {
          code: 'FAILED_RUNS_IGNORED',
          message:
            `${counts.failed} of ${counts.failed + counts.used} runs failed and are not in the result, which now speaks only ` +
            'about the runs that did not; look into trials.jsonl of the recording for the causes',
        },
      ];
}

/** NONZERO_EXIT: the sides did not fail alike. */
export function nonzeroExit(runs: readonly UsableRun[]): Warning[] {
  function statusesOf(side: Side): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    for (const { trial } of runs) {
      const { exitCode } = trial.sides[side];
      if (exitCode !== null) counts.set(exitCode, (counts.get(exitCode) ?? 0) + 1);
    }
    return new Map([...counts].toSorted(([one], [other]) => one - other));
  }
  function described(counts: ReadonlyMap<number, number>): string {
    if (counts.size === 1) return `status ${[...counts.keys()].join()}`;
    const texts = [...counts].map(([status, count], at) => `${status} in ${count}${at === 0 ? ' of its runs' : ''}`);
    return `status ${texts.slice(0, -1).join(', ')} and ${texts.at(-1) ?? ''}`;
  }
  const [A, B] = [statusesOf('A'), statusesOf('B')];
  if (A.size === 0 || B.size === 0 || [...A.keys()].join() === [...B.keys()].join()) return [];
  return [
    {
      code: 'NONZERO_EXIT',
      message:
        `A ended with ${described(A)}, B with ${described(B)}; a side that fails may have done less than the other, which would not ` +
        'make it faster; look at why, or measure without --ignore-failure',
    },
  ];
}

/** Fewer units than this make every interval a rough one. */
export const fewestForInterval = 10;

/** FEW_RUNS, below ten units; says so when the t interval had to stand in for the one that was asked for. */
export function fewRuns(
  madeOf: Comparison['resampled'],
  options: {
    readonly pace: { readonly runs: number; readonly step: number; readonly origin: Origin };
    /** Advice on what would decide; `null` where that is not known. */
    readonly more: Outlook | null;
    readonly asked: AskedInterval;
    readonly used: Comparison['interval']['kind'];
  },
): Warning[] {
  const { unit, count } = madeOf;
  if (count >= fewestForInterval) return [];
  const { pace, more, asked, used } = options;
  const { runs, step, origin } = pace;
  const what = unit === 'traded-block' ? `${runs} runs in ${count} blocks that traded cores` : `${count} runs`;
  const { name, kinds } = askedIntervalFacts[asked];
  const stand = !kinds.includes(used)
    ? `too few for the ${name} interval to hold its level, so a t interval, which assumes normal log ratios, stands in`
    : 'the interval is rough';
  // Cores that were found to wander make blocks of runs that were to count by themselves.
  const ofUnit = unit === 'traded-block' ? 2 : step;
  const enough = Math.max(ofUnit * fewestForInterval, runs + (more?.moreRuns ?? 0));
  const advice = withRuns(`give it ${enough} runs or more`, enough, origin);
  return [{ code: 'FEW_RUNS', message: `only ${what}: ${stand}; ${advice}` }];
}

/** The share that an advice aims at: what remains apart when the sides follow each other without a delay is not in its reach. */
const wantedOverlap = 0.7;

/** LOW_OVERLAP: so little of the iteration time of an `async-duet` was spent in pairs, or so many runs have none, that it carries no verdict. */
export function lowOverlap(
  runs: readonly PairedSpans[],
  { minimumOverlapRate, iterations }: Pick<ExperimentConfig, 'minimumOverlapRate' | 'iterations'>,
): Warning[] {
  const share = overlapShare(runs);
  if (share >= leastOverlap) {
    return [
      {
        code: 'LOW_OVERLAP',
        message:
          `in ${runsLeftOut(runs)} of ${runs.length} runs no iteration of A overlapped one of B by a rate of more than ${minimumOverlapRate}: ` +
          'a side that takes far longer in some of its runs is not judged by the others, and there is no verdict; use --method sync-duet',
      },
    ];
  }
  // The distance is the time by which one side begins before the other, whatever the length of a run.
  const factor = Math.ceil((1 - share) / (1 - wantedOverlap));
  const longer =
    iterations === null
      ? `${factor} times as many iterations`
      : `${factor * iterations} iterations in place of ${iterations} (--iterations ${factor * iterations})`;
  return [
    {
      code: 'LOW_OVERLAP',
      message:
        `only ${Math.round(100 * share)} % of the time ran in pairs that overlap by more than ${minimumOverlapRate}, so the sides ` +
        'hardly shared what disturbed them, the pairs are of different times of a run, and there is no verdict; use --method sync-duet, ' +
        `which starts the iterations together, or give a run ${longer}`,
    },
  ];
}

/** Invocations in every measured iteration of a side; `null` = not always the same number. */
function constantCount(runs: readonly UsableRun[], side: Side): number | null {
  let count: number | null = null;
  for (const { iterations } of joinSingle(runs)) {
    const held = iterations[side].metric('n');
    for (let row = 0; row < iterations[side].length; row++) {
      const own = held?.[row] || 1;
      if (count !== null && own !== count) return null;
      count = own;
    }
  }
  return count;
}

/**
 * INVOCATIONS_DIFFER: each side has a fixed number of invocations an iteration, and not the same. Times are those of one
 * invocation, so that the ratio holds; where the number changes by itself, as in iterations of a fixed length, nothing is
 * to be done.
 */
export function invocationsDiffer(runs: readonly UsableRun[]): Warning[] {
  const [a, b] = [constantCount(runs, 'A'), constantCount(runs, 'B')];
  if (a === null || b === null || a === b) return [];
  return [
    {
      code: 'INVOCATIONS_DIFFER',
      message:
        `an iteration holds ${a} invocations on side A and ${b} on side B; the ratio is that of one invocation and holds, but ` +
        'the sides do not share the same stretch of time and pay unequally for what surrounds an invocation: give both the ' +
        'same number',
    },
  ];
}

/** Turns a median absolute deviation into the standard deviation of a normal distribution. */
const normal = 1.4826;
const farDeviations = 5;
/** With fewer units the middle half says too little about the spread. */
const fewestForSpread = 5;
const mostNamed = 6;

/**
 * RUN_FAR_OFF: units whose log ratio lies beyond five robust standard deviations from the median. They stay in the result.
 *
 * @param facts.numbersOf the numbers of a unit's runs.
 */
export function runFarOff(
  logRatios: Float64Array,
  { numbersOf, origin }: { readonly numbersOf: (unit: number) => readonly number[]; readonly origin: Origin },
): Warning[] {
  if (logRatios.length < fewestForSpread) return [];
  const centre = median(logRatios);
  const spread = medianAbsoluteDeviation(logRatios, { scale: normal });
  if (spread === 0) return [];
  const far: number[] = [];
  for (const [u, ratio] of logRatios.entries()) if (Math.abs(ratio - centre) > farDeviations * spread) far.push(u);
  if (far.length === 0) return [];
  const named = far
    .slice(0, mostNamed)
    .map((u) => numbersOf(u).join(' and '))
    .join(', ');
  const more = far.length > mostNamed ? ` and ${far.length - mostNamed} more` : '';
  const isOne = far.length === 1 && !named.includes(' ');
  return [
    {
      code: 'RUN_FAR_OFF',
      message:
        `${isOne ? `run ${named} is` : 'some runs are'} more than ${farDeviations} robust standard deviations from the median ratio` +
        `${isOne ? '' : `: ${named}${more}`}; kept in the result. ` +
        `Look what else ran on the machine then${origin === 'files' ? '' : ', or give it a few --warmup runs if they are the first'}`,
    },
  ];
}

/**
 * BLOCK_ORDER: all of A was measured before all of B.
 *
 * @param widened how many times as wide the interval was made; `null` where the order of the runs is not known, or too few of them to show a drift.
 */
export function blockOrder(widened: number | null): Warning {
  const done =
    widened === null
      ? 'whether the machine changed meanwhile cannot be seen in these times, and the interval takes it that nothing did'
      : `the interval was made ${widened.toFixed(1)} times as wide, to hold under every drift of the machine that the times within the sides ` +
        'allow, but a change right between the sides still looks like a difference of the programs';
  return {
    code: 'BLOCK_ORDER',
    message:
      `all of A was measured before all of B: ${done}; let the tool measure A and B in turns, several files a side ` +
      'in two folders, or measure with deadheat itself',
  };
}

/** One-sided level at which it is more than a hint that neighbouring runs resemble each other. */
const correlatedLevel = 0.05;

/**
 * RUNS_CORRELATED: neighbouring units resemble each other, so that they say less than as many independent ones. A hint alone widens the interval
 * and is no warning, since one experiment in five of independent runs has it.
 */
export function runsCorrelated(
  { dependence, neighbours }: { readonly dependence: Dependence; readonly neighbours: Float64Array },
  confidence: number,
): Warning[] {
  if (dependence.p > correlatedLevel || dependence.degrees === Infinity) return [];
  const times = wideningOf(dependence, { n: neighbours.length, confidence }).toFixed(1);
  return [
    {
      code: 'RUNS_CORRELATED',
      message:
        `ratios of neighbouring runs resemble each other, so the interval was made ${times} times as wide; ` +
        'something on the machine changes more slowly than runs follow each other: shuffle benchmarks among each other, or repeat the experiment later',
    },
  ];
}
