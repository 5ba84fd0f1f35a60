import { quoteWord, type BenchmarkPoints, type Comparison, type Report } from '@deadheat/model';
import { formatChosenShare } from './format-percent.ts';
import { isSelfComparison } from './is-self-comparison.ts';

/**
 * The command that measures one benchmark again with the same seed, as far as a report tells: hooks, time limits and the like
 * stand in `experiment.json`. `null` where programs were not called from the command line, and for several machines.
 */
export function reproduceCommand(
  comparison: Comparison,
  { report, points }: { readonly report: Pick<Report, 'experiment'>; readonly points: BenchmarkPoints | null },
): string | null {
  const { method, ratio, margin, runs, iterationsPerRun, sides, hosts } = comparison;
  const workload = points?.workload ?? 'command';
  if (workload === 'lines' || report.experiment.files !== undefined || hosts !== undefined) return null;
  const perRun = Math.round(iterationsPerRun);
  return [
    'deadheat',
    ...(workload === 'harness' ? ['--harness'] : []),
    `--method ${method} --seed ${quoteWord(report.experiment.seed)} --runs ${runs}`,
    ...(perRun > 1 && workload === 'command' ? ['--iterations', String(perRun)] : []),
    `--confidence ${formatChosenShare(ratio.confidence).replace(' ', '')}`,
    ...(margin > 0 ? ['--margin', formatChosenShare(margin).replace(' ', '')] : []),
    quoteWord(sides.A.command),
    ...(isSelfComparison(comparison) ? [] : [quoteWord(sides.B.command)]),
  ].join(' ');
}
