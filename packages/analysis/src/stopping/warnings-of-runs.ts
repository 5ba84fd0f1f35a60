import type { Warning } from '@deadheat/model';
import type { DynamicReconfiguration } from './dynamic-reconfiguration.ts';
import type { ReconfiguredFork } from './reconfiguration-summary.ts';
import { resolveStoppingOptions } from './resolve-stopping-options.ts';
import type { StabilityRule } from './stability-rule.ts';
import { stoppingWarnings } from './stopping-warnings.ts';

/** What complete runs of a benchmark did not reach when a cap ended it, inside them and over them. */
export const warningsOfRuns = (
  runs: readonly ReconfiguredFork[],
  {
    rule,
    overRuns,
    isConstant,
  }: {
    readonly rule: StabilityRule;
    readonly overRuns: DynamicReconfiguration | null;
    /** Whether all measurements are equal. */
    readonly isConstant: boolean;
  },
): Warning[] => {
  if (runs.length === 0) return [];
  const options = resolveStoppingOptions(rule.options);
  const ofRuns = overRuns?.summary.warnings ?? [];
  return [
    ...stoppingWarnings(
      { forks: runs, warmupForks: [], stable: false, checks: [] },
      { options, isDone: false, isConstant },
    ),
    ...ofRuns.filter(({ code }) => code === 'RUNS_NOT_STABLE' || code === 'FEW_RUNS'),
  ];
};
