import { methodFacts, methodOfPaper, paperSchema, type AskedMethod, type Paper } from '@deadheat/model';
import { UsageError } from 'deadheat/settings';
import { flagOf } from './flag-of.ts';
import type { RawCompareOptions } from './raw-options.ts';

interface Conflict {
  readonly first: keyof RawCompareOptions;
  readonly second: keyof RawCompareOptions;
  readonly why: string;
}

const conflicts: readonly Conflict[] = [
  { first: 'runs', second: 'precision', why: '--runs fixes the number of runs, --precision lets the result decide it' },
  { first: 'runs', second: 'until', why: '--runs fixes the number of runs, --until lets the result decide it' },
  { first: 'precision', second: 'until', why: 'one goes on until the size is known, the other until the verdict is' },
  { first: 'quick', second: 'rigorous', why: 'they set the same options to different values' },
  { first: 'runs', second: 'minRuns', why: '--runs fixes the number of runs' },
  { first: 'runs', second: 'maxRuns', why: '--runs fixes the number of runs' },
  { first: 'stable', second: 'iterations', why: '--stable ends a run when enough is measured' },
  { first: 'stable', second: 'warmupIterations', why: '--stable ends warm-up when it is stable' },
  { first: 'N', second: 'shell', why: '-N means --shell=none' },
];

type MethodOptions = Pick<RawCompareOptions, 'method' | 'like' | 'swap' | 'tradeEvery' | 'fill' | 'metric'>;

/**
 * The method that was asked for; without a word about it that of the paper of `--like`, else `auto`, or `sync-duet` where an
 * option has a meaning only with a core for each side, or wall time is to decide.
 */
export function askedMethod(options: MethodOptions): AskedMethod {
  const paper = paperOf(options);
  if (options.method !== undefined) return options.method;
  if (paper !== null) return methodOfPaper(paper);
  return whatMeansDuet(options) === null ? 'auto' : 'sync-duet';
}

/** The paper whose procedure `--like` asks for; `null` = none. */
export function paperOf({ like }: Pick<RawCompareOptions, 'like'>): Paper | null {
  return paperSchema.options.find((paper) => paper === like) ?? null;
}

/** The method in words, with what means it where it is not named. */
function namedMethod(options: MethodOptions): string {
  const method = askedMethod(options);
  if (options.method !== undefined) return `--method ${method}`;
  const cause = paperOf(options) === null ? whatMeansDuet(options) : `--like ${options.like}`;
  return cause === null ? `the default, ${method}` : `${method}, which ${cause} means`;
}

/** The option that means `sync-duet` where no method is named; `null` = there is none. */
function whatMeansDuet({ swap, tradeEvery, fill, metric }: MethodOptions): string | null {
  if (swap !== undefined) return '--swap';
  if (tradeEvery !== undefined) return '--trade-every';
  if (fill !== undefined) return '--fill';
  return metric === 'time' ? '--metric time' : null;
}

/** Options that have no effect with some methods, and why. */
function checkMethodOptions(options: RawCompareOptions): void {
  const { swap, tradeEvery, fill, lanes, unpaired, metric } = options;
  const method = askedMethod(options);
  const refuse = (flag: string, why: string): UsageError =>
    new UsageError('CONFLICT', `${flag} has no effect with ${namedMethod(options)}: ${why}`, {
      hint: 'Leave one of them out.',
    });
  const hasDuet = method === 'sync-duet' || method === 'async-duet';
  if (swap !== undefined && !hasDuet) throw refuse('--swap', 'only the sides of a duet have cores to trade');
  if (tradeEvery !== undefined && method !== 'sync-duet')
    throw refuse('--trade-every', 'only the sides of a sync-duet have cores to trade');
  if (fill !== undefined && method !== 'sync-duet') {
    throw refuse(
      '--fill',
      method === 'tandem'
        ? 'on the core that both sides share it would take time from the side that is measured'
        : 'only in a sync-duet can a side that is done keep its own core busy until the other is done',
    );
  }
  if (lanes !== undefined && lanes !== 1 && method !== 'auto' && method !== 'tandem') {
    throw refuse('--lanes', 'only tandems run several at a time');
  }
  if (unpaired !== undefined && method !== 'auto' && method !== 'sequential') {
    throw refuse('--unpaired', 'it is about sequential runs');
  }
  if (metric === 'time' && method === 'tandem') {
    throw refuse('--metric time', 'in a tandem the wall time of a side is that of both');
  }
}

/** Refuses options that contradict each other. */
export function checkConflicts(options: RawCompareOptions): void {
  for (const { first, second, why } of conflicts) {
    if (options[first] === undefined || options[second] === undefined) continue;
    throw new UsageError('CONFLICT', `${flagOf(first)} and ${flagOf(second)} contradict each other: ${why}`, {
      hint: 'Leave one of them out.',
    });
  }
  const preset = options.quick === true ? '--quick' : options.rigorous === true ? '--rigorous' : null;
  if (preset !== null && paperOf(options) !== null) {
    throw new UsageError(
      'CONFLICT',
      `${preset} and --like ${options.like} contradict each other: each sets how sure the verdict is, and ${preset} another interval`,
      { hint: 'Leave one of them out, or say what is to differ from the paper: --confidence, --margin, --runs.' },
    );
  }
  const { minRuns, maxRuns, iterations } = options;
  const method = askedMethod(options);
  if (minRuns !== undefined && maxRuns !== undefined && minRuns > maxRuns) {
    throw new UsageError('CONFLICT', `--min-runs ${minRuns} is more than --max-runs ${maxRuns}`);
  }
  checkHarnessOptions(options);
  checkMethodOptions(options);
  if (iterations !== undefined && method !== 'async-duet' && options.harness !== true) {
    throw new UsageError('CONFLICT', `--iterations is for --method async-duet only, not for ${namedMethod(options)}`, {
      hint: 'Add --method async-duet, or say with --runs how often each command is executed.',
    });
  }
}

const harnessOptions = ['fill', 'tradeEvery', 'warmupIterations', 'stable'] as const;
const stableOptions = ['combine', 'liftCaps'] as const;

/** Options about iterations inside a run need a program that has them; some need a barrier. */
function checkHarnessOptions(options: RawCompareOptions): void {
  const detail = stableOptions.find((name) => options[name] !== undefined);
  const reading = options.like !== undefined && paperOf(options) === null ? `--like ${options.like}` : null;
  const aboutStable = detail === undefined ? reading : flagOf(detail);
  if (aboutStable !== null && options.stable === undefined) {
    throw new UsageError('CONFLICT', `${aboutStable} says how --stable decides, and there is no --stable`, {
      hint: 'Add --stable cv, or leave it out.',
    });
  }
  const given = harnessOptions.find((name) => options[name] !== undefined);
  if (given !== undefined && options.harness !== true) {
    throw new UsageError('CONFLICT', `${flagOf(given)} is for programs that time their own iterations`, {
      hint: 'Add --harness, or leave it out.',
    });
  }
  const needsBarrier = (['tradeEvery', 'stable'] as const).find((name) => options[name] !== undefined);
  if (needsBarrier !== undefined && !hasBarrier(askedMethod(options))) {
    const others =
      needsBarrier === 'stable'
        ? ' Harnesses that print, such as JMH, are described in a file (docs/stopping.md).'
        : '';
    throw new UsageError('CONFLICT', `${flagOf(needsBarrier)} needs a barrier, which only tandem and sync-duet have`, {
      hint: `Leave it out, or leave ${options.method === undefined ? '--like' : '--method'} out.${others}`,
    });
  }
}

function hasBarrier(method: AskedMethod): boolean {
  return method === 'auto' || methodFacts[method].barrier;
}
