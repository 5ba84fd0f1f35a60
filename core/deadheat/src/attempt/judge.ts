import type { Answer, Comparison, Interval, Judged } from '@deadheat/model';
import { printable } from '@deadheat/report';

/** The parts of a comparison that an attempt is judged by. */
export type JudgedComparison = Pick<
  Comparison,
  'benchmark' | 'verdict' | 'interval' | 'margin' | 'outlook' | 'runs' | 'time' | 'controlOf'
> & { readonly pValues: Pick<Comparison['pValues'], 'faster'> };

/** The answer to an attempt by one measurement. */
export interface Finding {
  readonly answer: Answer;
  readonly reason: string;
  readonly judged: Omit<Judged, 'recording'>;
}

/** Most further time for which an attempt without a verdict is worth another one, as a multiple of the time that it took. */
const mostPatience = 1;

/**
 * The answer to an attempt: `keep` if B is faster in the benchmarks that are named, or where none is named in any one, and slower in none; `not-yet` if it
 * looks faster, and as much time again is expected to show it; else `revert`.
 *
 * @param facts.targets names of the benchmarks that are to become faster; empty = any, each then at its part of the level
 * @param facts.error probability of a false `keep`, at most
 */
export function judgeAttempt(
  comparisons: readonly JudgedComparison[],
  { targets, error }: { readonly targets: readonly string[]; readonly error: number },
): Finding {
  const own = comparisons.filter(({ controlOf }) => controlOf === undefined);
  const missing = targets.find((name) => own.every(({ benchmark }) => benchmark !== name));
  const wanted = targets.length === 0 ? own : own.filter(({ benchmark }) => targets.includes(benchmark));
  const lead = leadOf(wanted);
  const wallNs = own.reduce((sum, { time }) => sum + time.wallNs, 0);
  const runs = Math.max(0, ...own.map((one) => one.runs));
  if (missing !== undefined || lead === undefined) {
    const reason = missing === undefined ? 'no benchmark was compared' : `there is no benchmark ${printable(missing)}`;
    return {
      answer: 'revert',
      reason,
      judged: { verdict: 'undecided', interval: null, benchmark: null, runs, wallNs },
    };
  }
  const answerBy = (by: JudgedComparison, answer: Answer, reason: string): Finding => ({
    answer,
    reason: own.length > 1 ? `${printable(by.benchmark)}: ${reason}` : reason,
    judged: { verdict: by.verdict, interval: by.interval, benchmark: by.benchmark, runs, wallNs },
  });
  const slower = own.find(({ verdict }) => verdict === 'slower');
  if (slower !== undefined) return answerBy(slower, 'revert', 'it is slower');
  const isFaster = (one: JudgedComparison): boolean =>
    one.verdict === 'faster' &&
    (own.length === 1 || targets.length > 0 || 2 * one.pValues.faster <= error / own.length);
  const hits = wanted.filter(isFaster);
  if (targets.length === 0 ? hits.length > 0 : hits.length === wanted.length) {
    const doubtful = own.find((one) => one.interval.estimate > 1 + Math.max(one.margin, leastMargin));
    if (doubtful === undefined) return answerBy(leadOf(hits) ?? lead, 'keep', 'it is faster');
    return answerBy(doubtful, 'not-yet', 'it looks slower, while another benchmark is faster');
  }
  const missed = targets.length === 0 ? lead : (wanted.find((one) => !isFaster(one)) ?? lead);
  if (missed.verdict === 'dead-heat') return answerBy(missed, 'revert', 'it makes no difference that matters');
  const more = moreTimeNs(missed);
  if (more !== null && more <= mostPatience * missed.time.wallNs) {
    return answerBy(missed, 'not-yet', `it looks faster, and about ${Math.ceil(more / 1e9)} s more would show it`);
  }
  return answerBy(missed, 'revert', 'no gain was shown, and more runs within the limits would hardly show one');
}

/** A benchmark that looks slower by less than this beside one that is faster is noise. */
const leastMargin = 0.02;

function leadOf(comparisons: readonly JudgedComparison[]): JudgedComparison | undefined {
  return comparisons.toSorted((one, other) => one.interval.estimate - other.interval.estimate)[0];
}

/** Further time that is expected to show that B is faster, ns; `null` where it does not look so. */
function moreTimeNs({ verdict, interval, margin, outlook }: JudgedComparison): number | null {
  if (verdict === 'faster') return 0;
  if (verdict !== 'undecided' || outlook === null) return null;
  const distance = -Math.log(interval.estimate);
  const isOutside = distance - Math.log1p(margin) > Math.log1p(margin > 0 ? margin : leastMargin) - distance;
  return isOutside ? outlook.moreTimeNs : null;
}

/** A program that takes less than this part of the time is measured twice before anybody believes it. */
const leastRatio = 0.5;

/**
 * Why a gain is not to be believed at once; `null` = it may be.
 *
 * @param facts.isChecked the outputs of both sides were compared
 */
export function suspicionOf(
  interval: Pick<Interval, 'high'>,
  { isChecked }: { readonly isChecked: boolean },
): string | null {
  if (interval.high < leastRatio)
    return 'it takes less than half of the time, as a program does that leaves out its work';
  return isChecked ? null : 'nobody compared what the programs print';
}
