import type { ComparisonInput } from '@deadheat/analysis';
import type { Comparison, Settings } from '@deadheat/model';

/** What became of so many draws at one confidence. */
export interface Counts {
  readonly confidence: number;
  readonly draws: number;
  readonly refused: number;
  readonly undecided: number;
  /** Intervals that lie beyond the true ratio, and verdicts that equal programs differ. */
  readonly missed: number;
  /** Those of them without a warning that the interval may not hold. */
  readonly missedUnwarned: number;
  /** Of programs that are slow now and then, those that are neither called slower nor warned of. */
  readonly hidden: number;
  readonly slower: number;
  readonly faster: number;
  /** Differences of typical runs that are not claimed because the total time opposes them. */
  readonly opposed: number;
  /** Verdicts against the sign of the true total, where at least two slow runs were seen. */
  readonly againstTotal: number;
  /** Verdicts that the p value does not bear out, and p values without their verdict. */
  readonly contradictions: number;
  /** Sum of ln(high / low). */
  readonly logWidth: number;
  /** Draws by the code of a warning. */
  readonly warnings: Readonly<Record<string, number>>;
  /** Draws by the kind of the interval. */
  readonly intervals: Readonly<Record<string, number>>;
}

export function coverage(
  cell: {
    readonly way: string;
    readonly shape: string;
    readonly runs: number;
    readonly confidences: readonly number[];
  },
  options: {
    readonly draws: number;
    readonly settings: Partial<Settings>;
    readonly compare: (input: ComparisonInput) => Comparison;
  },
): readonly Counts[];
