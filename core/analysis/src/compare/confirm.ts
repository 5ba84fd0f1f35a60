import { decidingInterval, type Comparison, type Warning } from '@deadheat/model';
import { AnalysisError } from '../analysis-error.ts';
import { compareBenchmark } from './compare-benchmark.ts';
import type { ComparisonInput } from './usable-runs.ts';

/** Verdict of other machines on the same benchmark. */
interface Confirmation {
  /** Their ids. */
  readonly hosts: readonly string[];
  /** `null` where they brought too few runs for a comparison. */
  readonly comparison: Comparison | null;
}

function notConfirmed({ hosts, comparison }: Confirmation): Warning {
  const found =
    comparison === null
      ? 'brought too few runs to say so too'
      : `found it ${comparison.verdict === 'dead-heat' ? 'a dead heat' : comparison.verdict}`;
  const count = hosts.length === 1 ? '1 other host' : `${hosts.length} other hosts`;
  return {
    code: 'NOT_CONFIRMED',
    message:
      `the first hosts found B slower, and ${count} (${hosts.join(', ')}) ${found}; look at what differs between them, or ` +
      'repeat it with more hosts',
  };
}

/**
 * A comparison that was made again on other machines because it came out `slower`: that stays only where they say so too,
 * by the same rule and level; else it is `undecided`. Any other verdict needs no confirmation and stays as it is.
 */
export function confirm(comparison: Comparison, confirmation: Confirmation): Comparison {
  if (comparison.verdict !== 'slower') return comparison;
  const { hosts, comparison: other } = confirmation;
  const confirmed: Comparison['confirmation'] =
    other === null
      ? { hosts: [...hosts], runs: 0, ratio: null, verdict: null }
      : { hosts: [...hosts], runs: other.runs, ratio: ratioOf(other), verdict: other.verdict };
  if (other?.verdict === 'slower') return { ...comparison, confirmation: confirmed };
  return {
    ...comparison,
    verdict: 'undecided',
    outlook: null,
    confirmation: confirmed,
    warnings: [...comparison.warnings, notConfirmed(confirmation)],
  };
}

function ratioOf(comparison: Comparison) {
  const { estimate, low, high, confidence } = decidingInterval(comparison);
  return { estimate, low, high, confidence };
}

/** A benchmark, and the ids of the machines whose runs only confirm. */
interface ConfirmedInput extends ComparisonInput {
  readonly confirming: readonly string[];
}

/**
 * Judges one benchmark by the runs of the machines that measured it first, and where those that confirm brought runs by
 * theirs too.
 *
 * @throws AnalysisError as `compareBenchmark`, of the first machines' runs
 */
export function compareConfirmed({ confirming, ...input }: ConfirmedInput): Comparison {
  const isConfirming = ({ trial: { host } }: ComparisonInput['runs'][number]): boolean =>
    host !== undefined && confirming.includes(host);
  const others = input.runs.filter(isConfirming);
  if (others.length === 0) return compareBenchmark(input);
  const comparison = compareBenchmark({ ...input, runs: input.runs.filter((run) => !isConfirming(run)) });
  return confirm(comparison, {
    hosts: [...new Set(others.map(({ trial: { host } }) => host ?? ''))].toSorted(),
    comparison: compareOthers({ ...input, runs: others }),
  });
}

function compareOthers(input: ComparisonInput): Comparison | null {
  try {
    return compareBenchmark(input);
  } catch (error) {
    if (error instanceof AnalysisError && error.code === 'TOO_FEW_RUNS') return null;
    throw error;
  }
}
