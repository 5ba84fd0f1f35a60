import { counterSchema, type Iteration, type Noise, type Side, type SideResult, type Trial } from '@deadheat/model';
import type { Execution } from '@deadheat/sync';
import type { PlannedTrial } from '../plan/plan-trial.ts';
import type { RunOutcome } from '../run/executor.ts';
import { signalName } from '../run/describe-failure.ts';

/** A finished run as the journal keeps it. */
export function toTrial(facts: {
  readonly trial: number;
  /** Id of this machine in an experiment over several; else `null`. */
  readonly host: string | null;
  readonly planned: PlannedTrial;
  /** Place of the builds of the sides; `null` = there is one each. */
  readonly layout: number | null;
  readonly outcome: RunOutcome;
  /** `true` = the program, not the runner, times its iterations. */
  readonly selfTimed: boolean;
  /** `true` = the sides ran under valgrind. */
  readonly counting: boolean;
  readonly noise: Noise;
  readonly wallNs: number;
  /** Files with the records that the sides wrote themselves. */
  readonly records: Readonly<Record<Side, string | null>>;
}): Trial {
  const { planned, outcome } = facts;
  function side(name: Side): SideResult {
    const { executions, stopped, observed, counts, countedBytes } = outcome.sides[name];
    const iterations = facts.selfTimed ? [] : executions.map(toIteration);
    const result: SideResult = toSideResult(executions, {
      side: name,
      planned,
      iterations,
      record: facts.records[name],
    });
    if (counts !== undefined) result.counts = counts;
    if (countedBytes !== undefined) result.countedBytes = countedBytes;
    if (stopped) result.stopped = true;
    if (observed !== null) result.observed = observed;
    return result;
  }
  return {
    trial: facts.trial,
    benchmark: planned.benchmark,
    method: planned.method,
    run: planned.run,
    phase: planned.phase,
    ...(facts.counting ? { counting: true as const } : {}),
    order: planned.order,
    status: outcome.failures.length === 0 ? 'ok' : 'failed',
    failures: [...outcome.failures],
    ...(facts.host === null ? {} : { host: facts.host }),
    ...(facts.layout === null ? {} : { layout: facts.layout }),
    wallNs: facts.wallNs,
    sides: { A: side('A'), B: side('B') },
    noise: facts.noise,
  };
}

/**
 * Fields that are always there are written as one literal: an object that is put together by spreading gets a shape of its own, which takes as
 * much memory again, and an experiment keeps hundreds of thousands.
 */
function toSideResult(
  executions: readonly Execution[],
  facts: Pick<SideResult, 'iterations' | 'record'> & { readonly side: Side; readonly planned: PlannedTrial },
): SideResult {
  const { side, planned, iterations, record } = facts;
  const last = executions.at(-1);
  const cpus = planned.cpus[side];
  const result: SideResult = {
    cpu: cpus[0] ?? 0,
    padBytes: planned.padBytes[side],
    exitCode: last?.exitCode ?? null,
    signal: last?.signal == null ? null : signalName(last.signal),
    userNs: sum(executions, 'userNs'),
    systemNs: sum(executions, 'systemNs'),
    maxRssBytes: executions.reduce<number | null>(
      (most, { maxRssBytes }) => (maxRssBytes === null ? most : Math.max(most ?? 0, maxRssBytes)),
      null,
    ),
    voluntarySwitches: sum(executions, 'voluntarySwitches'),
    involuntarySwitches: sum(executions, 'involuntarySwitches'),
    iterations,
    record,
  };
  if (cpus.length > 1) result.cpus = [...cpus];
  const pageFaults = sumKnown(executions.map((execution) => execution.pageFaults));
  if (pageFaults !== null) result.pageFaults = pageFaults;
  const counters = sumCounters(executions);
  if (counters !== null) result.counters = counters;
  return result;
}

function toIteration(execution: Execution, i: number): Iteration {
  const { startNs: s, endNs: e, userNs, systemNs, runDelayNs: q, involuntarySwitches: v } = execution;
  return {
    i,
    s,
    e,
    ...(userNs === null || systemNs === null ? {} : { c: userNs + systemNs }),
    ...(q === null ? {} : { q }),
    ...(v === null ? {} : { v }),
  };
}

function sumKnown(values: readonly (number | undefined)[]): number | null {
  if (values.length === 0) return null;
  let total = 0;
  for (const value of values) {
    if (value === undefined) return null;
    total += value;
  }
  return total;
}

/** The counters that every execution reports; `null` when none was asked for. */
function sumCounters(executions: readonly Execution[]): SideResult['counters'] | null {
  if (executions.every(({ counters }) => counters === undefined)) return null;
  return Object.fromEntries(
    counterSchema.options.flatMap((name) => {
      const total = sumKnown(executions.map(({ counters }) => counters?.[name]));
      return total === null ? [] : [[name, total]];
    }),
  );
}

type Usage = 'userNs' | 'systemNs' | 'voluntarySwitches' | 'involuntarySwitches';

/** Sum over the executions; `null` when one of them does not report the value, or there is none. */
function sum(executions: readonly Execution[], field: Usage): number | null {
  let total: number | null = executions.length === 0 ? null : 0;
  for (const { [field]: value } of executions) total = value === null || total === null ? null : total + value;
  return total;
}
