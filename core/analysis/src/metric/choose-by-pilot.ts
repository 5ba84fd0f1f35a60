import {
  workloadFacts,
  methodFacts,
  sides,
  type Benchmark,
  type ChosenMethod,
  type ExperimentConfig,
  type MeasuredRun,
  type Method,
  type Side,
  type SideResult,
  type Trial,
} from '@deadheat/model';
import { median } from '@deadheat/stats';
import { joined } from '../internal/lists.ts';
import { unpairedRun, type UsableRun } from '../pairing/select-runs.ts';
import { lookedAt, metricFacts, type MetricFacts, observedThreads, severalThreads } from './choose-metric.ts';
import { iterationTimes } from './iteration-times.ts';
import { isOneProgram } from './one-program.ts';

/**
 * A busy machine adds as much to runs together: a launcher that shares the core of its program learns late that it has ended. Where a
 * lock is held for less, SIDES_WAIT by measured runs finds it.
 */
const leastExcessNs = 25_000_000;
/** This share of the time that both sides take alone is suspicious, and ... */
const suspicious = 0.1;
/** ... enough for runs alone that are few. */
const evident = 0.25;
/** One run together may have met anything. */
const enoughTogether = 2;
/** With as many runs of each kind an excess in all of them is no chance: 1 in 20, above the threshold. */
const enoughAlone = 3;

/** Waiting time of two sides in pilot runs, both together, median of the runs, ns. */
export interface WaitingTogether {
  readonly togetherNs: number;
  readonly aloneNs: number;
  /** True if they wait longer together beyond what the chance of so few runs explains. */
  readonly isCertain: boolean;
}

/**
 * The most time, ns, in which a command neither computed nor was kept from a CPU; `null` where that is not known. The delay of its main thread
 * leaves out that of its children, which looking at all its threads does not: the smaller of both counts.
 *
 * @param needsLooks true where a delay that is too short is not to count: where looks were tried and too few, nothing is known
 */
function waitedNs(result: SideResult, needsLooks = false): number | null {
  const [one] = result.iterations;
  if (one?.c === undefined || one.q === undefined) return null;
  const wallNs = one.e - one.s;
  const byTimes = Math.max(0, wallNs - one.c - one.q);
  const observed = observedThreads([result]);
  if (observed === null) return needsLooks && result.observed !== undefined ? null : byTimes;
  return Math.min(byTimes, (1 - observed.runnable) * wallNs);
}

/**
 * Waiting times of the sides in runs in which they were executed together, and one after the other. Whatever only one of them can have at a
 * time (a lock, a port, a disk) makes every run of the first kind wait longer than every run of the second.
 *
 * @param trials pilot runs of a command; failed ones do not count
 * @returns `null` where they do not wait longer together, or runs of one kind are missing
 */
export function waitingTogether(trials: readonly Trial[]): WaitingTogether | null {
  const waits = (isAlone: boolean): readonly number[] =>
    trials
      .filter(({ status, method }) => status === 'ok' && methodFacts[method].together !== isAlone)
      .flatMap((trial) => {
        const [a, b] = sides.map((side) => waitedNs(trial.sides[side], !isAlone));
        return a == null || b == null ? [] : [a + b];
      });
  const [together, alone] = [waits(false), waits(true)];
  if (together.length === 0 || alone.length === 0) return null;
  const wallNs = median(
    trials
      .filter(({ method }) => !methodFacts[method].together)
      .map((trial) => sides.reduce((sum, side) => sum + wallOf(trial.sides[side]), 0)),
  );
  const excess = Math.min(...together) - Math.max(...alone);
  if (excess < Math.max(leastExcessNs, suspicious * wallNs)) return null;
  const isCertain = together.length >= enoughTogether && (excess >= evident * wallNs || alone.length >= enoughAlone);
  return { togetherNs: median(together), aloneNs: median(alone), isCertain };
}

function wallOf({ iterations: [one] }: SideResult): number {
  return one === undefined ? 0 : one.e - one.s;
}

/** True if a side seems to wait, and no look at the processes that it starts came early enough: their waiting for a CPU is not in its times. */
function isUnseen(trials: readonly Trial[], side: Side): boolean {
  const results = trials.filter(({ status }) => status === 'ok').map((trial) => trial.sides[side]);
  return (
    results.some(({ observed }) => observed !== undefined) &&
    observedThreads(results) === null &&
    results.every((result) => wallOf(result) > leastExcessNs && (waitedNs(result) ?? 0) > (1 - bound) * wallOf(result))
  );
}

/** Result of pilot runs on whether the sides wait, for each other or at all; `perhaps` = more runs would decide. */
export function comparesWaiting(trials: readonly Trial[]): 'no' | 'perhaps' | 'yes' {
  const found = waitingTogether(trials);
  if (found === null && sides.some((side) => isUnseen(trials, side))) return 'perhaps';
  return found === null ? 'no' : found.isCertain ? 'yes' : 'perhaps';
}

/**
 * A side that computes, or waits for a CPU, in this share of its time is CPU-bound. Beside other programs the start and the end of a program, which nobody
 * sees, take some percent of its wall time: programs with 0.94 and more on an idle machine had 0.88 and more at a load of 12.
 */
const bound = 0.85;
/** Below this CPU time an execution has too few microseconds, its unit. */
const shortestNs = 1_000_000;

/** Executions of this length hold enough samples, unless a busy machine kept them from being made. */
const longEnoughNs = 40_000_000;
/** A side that computes in less of its time seems to wait, seen or not. */
const leastBusy = 0.1;

interface Seen {
  /** Share of the time in which a side computed or waited for a CPU; `null` where that is not known. */
  readonly busy: number | null;
  /** Mean number of threads that did; `null` where it was not observed often enough. */
  readonly tasks: number | null;
}

/** CPU use of a side: by the times of its first thread, and by observation of all its threads. */
function seenOf(runs: readonly UsableRun[], { side, facts }: { side: Side; facts: MetricFacts }): Seen {
  const results = lookedAt(runs, side).map(({ trial }) => trial.sides[side]);
  const observed = observedThreads(runs.map(({ trial }) => trial.sides[side]));
  const looked = observedThreads(results);
  const busy = Math.max(facts.busyShares?.[side] ?? 0, looked?.runnable ?? 0);
  // The first thread alone is known to have waited for a CPU, and it may have waited for others that did.
  const isHidden = looked === null && results.some((one) => one.observed !== undefined && wallOf(one) > longEnoughNs);
  return { busy: isHidden && busy > leastBusy && busy < bound ? null : busy, tasks: observed?.threads ?? null };
}

function both(values: Readonly<Record<Side, number | null>>): string {
  return sides.map((side) => `${side} ${values[side]?.toFixed(2) ?? 'not seen'}`).join(', ');
}

/**
 * The method of sides that do not share a core: that of the pilot runs, which may be those of other machines than this one. With a
 * single CPU there are no two cores for a duet, and they are `sequential`.
 */
function methodApart(
  runs: readonly UsableRun[],
  { benchmark, config: { cpus } }: { readonly benchmark: Benchmark; readonly config: Pick<ExperimentConfig, 'cpus'> },
): Method {
  if (isPrepared(benchmark)) return 'sequential';
  const isAlone =
    runs.length === 0 ? cpus[0] === cpus[1] : runs.some(({ trial }) => !methodFacts[trial.method].together);
  return isAlone ? 'sequential' : 'sync-duet';
}

type Choice = Pick<ChosenMethod, 'method' | 'reason' | 'sidesWait'> & { readonly waits?: true };

/** Duets, and beside them the runs in which each side had all CPUs to itself; where all are such runs they stand for the duets. */
function parted(all: readonly UsableRun[]): {
  readonly runs: readonly UsableRun[];
  readonly alone: readonly UsableRun[];
} {
  const runs = all.filter(({ trial }) => methodFacts[trial.method].together);
  return runs.length === 0 ? { runs: all, alone: [] } : { runs, alone: all.filter((run) => !runs.includes(run)) };
}

/** CPU time above this share of the wall time takes more than one core ... */
const oneCore = 1.1;
/** ... and where the sides differ by this factor, CPU time does not stand for their wall times. */
const unequal = 1.25;

/**
 * True if CPU times on one core would hide the use of several cores.
 *
 * @param cores CPU time over wall time of each side
 * @param tasks threads that were seen to compute at once, without those that help one
 */
function usesSeveral(cores: Readonly<Record<Side, number>>, tasks: Readonly<Record<Side, number | null>>): boolean {
  const [low, high] = cores.A < cores.B ? [cores.A, cores.B] : [cores.B, cores.A];
  return (
    sides.some((side) => (tasks[side] ?? cores[side]) > severalThreads) || (high > oneCore && high > unequal * low)
  );
}

/** True where a command prepares what a side finds, such as cold caches, which no side finds that runs beside the other. */
function isPrepared({ hooks, workload, containers }: Benchmark): boolean {
  return (
    containers === null && !workloadFacts[workload].timesItself && sides.some((side) => hooks[side].prepare !== null)
  );
}

/** The method for one benchmark of a program, and why. */
function chooseFor(
  all: readonly UsableRun[],
  { benchmark, config }: { readonly benchmark: Benchmark; readonly config: ExperimentConfig },
): Choice {
  const { runs, alone } = parted(all);
  const apart = methodApart(runs, { benchmark, config });
  const facts = metricFacts(runs);
  const seen = { A: seenOf(all, { side: 'A', facts }), B: seenOf(all, { side: 'B', facts }) };
  const tasks = { A: seen.A.tasks, B: seen.B.tasks };
  const cores = alone.length === 0 ? null : metricFacts(alone).cpuShares;
  const busy = { A: seen.A.busy, B: seen.B.busy };
  if (config.metric === 'time') return { method: apart, reason: 'wall time was asked for' };
  const sidesWait = waitingTogether(all.map(({ trial }) => trial));
  if (methodFacts[apart].together && sidesWait?.isCertain === true) {
    const { togetherNs, aloneNs } = sidesWait;
    const reason =
      `the sides wait for each other (in a run ${(togetherNs / 1e6).toFixed(1)} ms together, ${(aloneNs / 1e6).toFixed(1)} ms ` +
      'one after the other), so they are run one after the other';
    return { method: 'sequential', reason, waits: true, sidesWait: { togetherNs, aloneNs } };
  }
  if (!workloadFacts[benchmark.workload].timesItself && Math.max(tasks.A ?? 1, tasks.B ?? 1) > severalThreads) {
    const reason = `a side computes in several threads at once (on average ${both(tasks)}), so each gets all CPUs to itself`;
    return { method: 'sequential', reason };
  }
  if (cores !== null && usesSeveral(cores, tasks)) {
    const reason = `a side keeps several cores busy (CPU time over wall time: ${both(cores)}), so each gets all CPUs to itself`;
    return { method: 'sequential', reason };
  }
  if (facts.medianCpuNs === null) return { method: apart, reason: 'CPU time was not measured for every execution' };
  const shortest = Math.min(facts.medianCpuNs.A, facts.medianCpuNs.B);
  if (!workloadFacts[benchmark.workload].timesItself && shortest < shortestNs) {
    const reason = `an execution uses ${(shortest / 1e6).toFixed(2)} ms of CPU time, too short for its clock`;
    return { method: apart, reason };
  }
  if (facts.coarseStepNs !== null) {
    const reason = `CPU time is reported in steps of ${facts.coarseStepNs / 1e6} ms on this machine, too coarse`;
    return { method: apart, reason };
  }
  if (Math.min(busy.A ?? 1, busy.B ?? 1) < bound) {
    const reason = `a side waits for other things than its core (share of the time in which it computes: ${both(busy)})`;
    return { method: apart, reason, waits: true };
  }
  const keep = `both sides keep one core busy (share of the time: ${both(busy)})`;
  if (isPrepared(benchmark)) return { method: 'alone', reason: `${keep}, and a command prepares each run of a side` };
  if (isOneProgram(benchmark)) return { method: 'tandem', reason: `${keep}${isSame(benchmark) ? '' : allowance}` };
  // Programs that are followed for stability have to meet at a barrier.
  if (config.stable !== null) return { method: 'tandem', reason: keep };
  return { method: 'alone', reason: `${keep}, and as different programs may share its caches unequally` };
}

/** The largest bias that was found for builds of one program: docs/decisions/0009-tandem.md. */
const allowance = ', and as builds of one program lose the same by sharing it (within 1 %)';

function isSame({ commands: { A, B }, workingDirectory }: Benchmark): boolean {
  return A.argv.join('\0') === B.argv.join('\0') && workingDirectory.A === workingDirectory.B;
}

function aloneTime(runs: readonly UsableRun[], side: Side): number {
  return median(joined(parted(runs).runs.map((run) => iterationTimes(run, side, 'time') ?? new Float64Array(0))));
}

/**
 * The method that fits a benchmark, by what its pilot runs showed: where both sides keep one core busy, long enough for the clock of CPU time,
 * `tandem` for builds of one program and `alone` for different ones, to which sharing the caches of a core may cost unequal time; `sequential` for commands that compute in several threads at once, and for sides that wait for each other; else `sync-duet`, or
 * `sequential` on a machine with a single CPU. Programs that hold several benchmarks get a tandem when each of them would.
 *
 * @param benchmarks the pilot runs of every benchmark that the program holds; failed ones do not count.
 */
export function chooseByPilot(
  benchmarks: readonly (readonly MeasuredRun[])[],
  context: { readonly benchmark: Benchmark; readonly config: ExperimentConfig },
): ChosenMethod {
  const { benchmark, config } = context;
  const usable = benchmarks
    .map((runs) =>
      runs
        .filter(({ trial }) => trial.status === 'ok')
        .map((run) => unpairedRun(run, { warmup: config.warmup, workload: benchmark.workload }))
        .filter(({ iterations }) => sides.every((side) => iterations[side].length > 0)),
    )
    .filter(({ length }) => length > 0);
  const choices = usable.map((runs) => chooseFor(runs, context));
  const choice = choices.find(({ method }) => methodFacts[method].ownTime !== 'cpu') ?? choices[0];
  const [only] = usable;
  return {
    method: choice?.method ?? methodApart([], context),
    metric: choice === undefined ? 'time' : choice.waits === true ? 'undelayed' : methodFacts[choice.method].ownTime,
    reason: choice?.reason ?? 'the pilot runs measured nothing',
    aloneNs: only === undefined || usable.length > 1 ? null : { A: aloneTime(only, 'A'), B: aloneTime(only, 'B') },
    ...(choice?.sidesWait === undefined ? {} : { sidesWait: choice.sidesWait }),
  };
}
