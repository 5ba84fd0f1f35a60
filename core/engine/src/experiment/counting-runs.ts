import { workloadFacts, sides, type Benchmark, type Count, type Warning } from '@deadheat/model';
import type { PlannedTrial } from '../plan/plan-trial.ts';
import type { RunOutcome, RunRequest } from '../run/executor.ts';
import { countsHere, isInBytes } from '../run/native/counted-program.ts';
import type { BenchmarkState } from './benchmark-state.ts';

/** Counting runs of work that is the same in each, and of work that is not. */
const fewestCounting = 2;
const mostCounting = 8;

/** A program under valgrind may take this many times its time limit. */
const slowdownAtMost = 100;

/** Work that is to be counted in runs of their own: of plain commands alone. */
function wantedCounts({ benchmark, config }: Pick<BenchmarkState, 'benchmark' | 'config'>): readonly Count[] {
  if (workloadFacts[benchmark.workload].timesItself || benchmark.containers !== null) return [];
  return countsHere(config, benchmark);
}

/** True if both sides are to be run under valgrind next: twice, and up to eight times where their work is not the same each time. */
export function isCountingDue(state: Pick<BenchmarkState, 'benchmark' | 'config' | 'countingTrials'>): boolean {
  const { countingTrials: trials } = state;
  if (trials.length >= mostCounting || wantedCounts(state).length === 0) return false;
  if (trials.some((trial) => sides.some((side) => trial.sides[side].counts === undefined))) return false;
  if (trials.length < fewestCounting) return true;
  const seen = trials.map((trial) => JSON.stringify(sides.map((side) => trial.sides[side].counts)));
  return new Set(seen).size > 1;
}

/** A request to count the work of both sides, one after the other. */
export function countingRequest(
  state: Pick<BenchmarkState, 'benchmark' | 'config'> & { readonly program: number },
  planned: PlannedTrial,
): RunRequest {
  const { timeoutNs, runTimeoutNs, ignoreFailure } = state.config;

  function slower(limitNs: number | null): number | null {
    return limitNs === null ? null : slowdownAtMost * limitNs;
  }

  return {
    ...planned,
    benchmark: state.program,
    timeoutNs: slower(timeoutNs),
    runTimeoutNs: slower(runTimeoutNs),
    ignoreFailure,
    observes: false,
    executions: 1,
    selfTimed: null,
    counts: wantedCounts(state),
  };
}

/** The warning that a program fails in the runs that count its work, so that it is not counted. */
export function uncounted(
  { name, commands }: Pick<Benchmark, 'name' | 'commands'>,
  { failures: [failure] }: RunOutcome,
): Warning {
  const by = isInBytes('allocations', commands.A)
    ? 'with the options of its runtime that count it'
    : 'under valgrind, which counts it';
  return {
    code: 'METRIC_UNAVAILABLE',
    message:
      `${name}: its work was not counted, since the program failed ${by} (${failure?.message ?? ''}); ` +
      'docs/resources.md says how to run it by hand to see why',
  };
}
