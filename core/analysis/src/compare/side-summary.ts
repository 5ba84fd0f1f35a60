import {
  workloadFacts,
  methodFacts,
  mostTimes,
  type Benchmark,
  type Side,
  type SideSummary,
  type TimeMetric,
} from '@deadheat/model';
import { coefficientOfVariation, mean, median, standardDeviation, type Random } from '@deadheat/stats';
import { at } from '../internal/at.ts';
import { joined } from '../internal/joined.ts';
import { iterationTimes } from '../metric/iteration-times.ts';
import type { UsableRun } from '../pairing/select-runs.ts';

const nsPerSecond = 1e9;

interface SummaryOptions {
  readonly side: Side;
  readonly benchmark: Pick<Benchmark, 'commands' | 'workload' | 'chosen'>;
  /** The random stream of a purpose. */
  readonly random: (purpose: string) => Random;
}

/** Mean time of one execution, s; the processes' times are of all executions of a run, warm-up included. */
function processSeconds(
  runs: readonly UsableRun[],
  options: { readonly side: Side; readonly field: 'userNs' | 'systemNs' },
): number | null {
  let totalNs = 0;
  let executions = 0;
  for (const { trial } of runs) {
    const result = trial.sides[options.side];
    const ns = result[options.field];
    if (ns === null) return null;
    totalNs += ns;
    executions += result.iterations.length;
  }
  return totalNs / executions / nsPerSecond;
}

/**
 * One side over all measured iterations of at least one usable run: wall times, of tandems CPU times, in seconds an invocation, as measured
 * (nothing moved), in the order of the runs. Of more than `mostTimes` a seeded sample of this size is listed, in the same
 * order; all figures are of all of them.
 *
 * An execution of a command carries the exit code of its run; of a program that holds its iterations there is one exit code a
 * run, and no user and system time: what its process used includes its start and warm-up, and an iteration's own CPU time
 * (`c`) is not divided into the two.
 */
export function sideSummary(runs: readonly UsableRun[], options: SummaryOptions): SideSummary {
  const { side, benchmark, random } = options;
  const command = benchmark.commands[side];
  const { timesItself } = workloadFacts[benchmark.workload];
  const metric: TimeMetric = runs[0] === undefined ? 'time' : methodFacts[runs[0].trial.method].ownTime;
  const times = joined(runs.map((run) => iterationTimes(run, side, metric) ?? [])).map((ns) => ns / nsPerSecond);
  const aloneNs = benchmark.chosen?.aloneNs?.[side] ?? null;
  const exitCodes = runs.flatMap(({ trial, iterations }) =>
    Array.from({ length: timesItself ? 1 : iterations[side].length }, () => trial.sides[side].exitCode),
  );
  const shown = times.length > mostTimes ? sampleRows(times.length, mostTimes, random(`times ${side}`)) : null;
  const resident = runs.map(({ trial }) => trial.sides[side].maxRssBytes).filter((bytes) => bytes !== null);
  const several = times.length > 1;
  return {
    command: command.commandLine,
    name: command.name,
    metric,
    alone: aloneNs === null ? null : aloneNs / nsPerSecond,
    mean: mean(times),
    stddev: several ? standardDeviation(times) : null,
    median: median(times),
    min: times.reduce((least, time) => Math.min(least, time)),
    max: times.reduce((most, time) => Math.max(most, time)),
    user: timesItself ? null : processSeconds(runs, { side, field: 'userNs' }),
    system: timesItself ? null : processSeconds(runs, { side, field: 'systemNs' }),
    cv: several ? coefficientOfVariation(times) : null,
    times: shown === null ? Array.from(times) : Array.from(shown, (row) => at(times, row)),
    exitCodes: shown === null || timesItself ? exitCodes : Array.from(shown, (row) => exitCodes[row] ?? null),
    maxRssBytes: resident.length === 0 ? null : resident.reduce((most, bytes) => Math.max(most, bytes)),
  };
}

/**
 * A random sample of rows without repeats, in their order; every set of `size` rows is equally likely.
 *
 * @param rows how many there are.
 * @param size how many are wanted, at most `rows`.
 * Source: D. Knuth, The Art of Computer Programming, volume 2, section 3.4.2, algorithm S. O(rows).
 */
export function sampleRows(rows: number, size: number, random: Random): Int32Array {
  const sample = new Int32Array(size);
  let taken = 0;
  for (let row = 0; taken < size; row++) {
    if (random.int(rows - row) < size - taken) sample[taken++] = row;
  }
  return sample;
}
