import { coefficientOfVariation, mean, median, standardDeviation } from '@deadheat/stats';
import type { Command, Side, SideSummary } from '@deadheat/model';
import { iterationTimes } from '../metric/iteration-times.ts';
import type { UsableRun } from '../pairing/usable-run.ts';

const NS_PER_SECOND = 1e9;

/** Mean time of one execution, s; the processes' times are of all executions of a run, warm-up included. */
const processSeconds = (
  runs: readonly UsableRun[],
  options: { readonly side: Side; readonly field: 'userNs' | 'systemNs' },
): number | null => {
  let totalNs = 0;
  let executions = 0;
  for (const { trial } of runs) {
    const result = trial.sides[options.side];
    const ns = result[options.field];
    if (ns === null) return null;
    totalNs += ns;
    executions += result.iterations.length;
  }
  return totalNs / executions / NS_PER_SECOND;
};

/**
 * One side over all measured executions of at least one usable run: wall times in seconds an invocation, as measured
 * (nothing moved), in the order of the runs. An execution carries the exit code of its run.
 */
export const sideSummary = (
  runs: readonly UsableRun[],
  options: { readonly side: Side; readonly command: Command },
): SideSummary => {
  const { side, command } = options;
  const times = runs.flatMap((run) => Array.from(iterationTimes(run, side, 'time') ?? [], (ns) => ns / NS_PER_SECOND));
  const resident = runs.map(({ trial }) => trial.sides[side].maxRssBytes).filter((bytes) => bytes !== null);
  const several = times.length > 1;
  return {
    command: command.commandLine,
    name: command.name,
    mean: mean(times),
    stddev: several ? standardDeviation(times) : null,
    median: median(times),
    min: times.reduce((least, time) => Math.min(least, time)),
    max: times.reduce((most, time) => Math.max(most, time)),
    user: processSeconds(runs, { side, field: 'userNs' }),
    system: processSeconds(runs, { side, field: 'systemNs' }),
    cv: several ? coefficientOfVariation(times) : null,
    times,
    exitCodes: runs.flatMap(({ trial, iterations }) => iterations[side].map(() => trial.sides[side].exitCode)),
    maxRssBytes: resident.length === 0 ? null : resident.reduce((most, bytes) => Math.max(most, bytes)),
  };
};
