import { decidingInterval } from '@deadheat/model';
import type { Comparison, Warning } from '@deadheat/model';

/** What other machines said of the same benchmark. */
export interface Confirmation {
  /** Their ids. */
  readonly hosts: readonly string[];
  /** `null` where they brought too few runs for a comparison. */
  readonly comparison: Comparison | null;
}

const notConfirmed = ({ hosts, comparison }: Confirmation): Warning => {
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
};

/**
 * A comparison that was made again on other machines because it came out `slower`: that stays only where they say so too,
 * by the same rule and level; else it is `undecided`. Any other verdict needs no confirmation and stays as it is.
 */
export const confirm = (comparison: Comparison, confirmation: Confirmation): Comparison => {
  if (comparison.verdict !== 'slower') return comparison;
  const { hosts, comparison: other } = confirmation;
  const told: Comparison['confirmation'] =
    other === null
      ? { hosts: [...hosts], runs: 0, ratio: null, verdict: null }
      : { hosts: [...hosts], runs: other.runs, ratio: ratioOf(other), verdict: other.verdict };
  if (other?.verdict === 'slower') return { ...comparison, confirmation: told };
  return {
    ...comparison,
    verdict: 'undecided',
    outlook: null,
    confirmation: told,
    warnings: [...comparison.warnings, notConfirmed(confirmation)],
  };
};

const ratioOf = (comparison: Comparison) => {
  const { estimate, low, high, confidence } = decidingInterval(comparison);
  return { estimate, low, high, confidence };
};
