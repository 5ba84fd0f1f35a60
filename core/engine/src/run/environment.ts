import { workloadFacts, type Benchmark, type Side } from '@deadheat/model';
import type { WaitPolicy } from '@deadheat/sync';
import type { RunRequest } from './executor.ts';

/**
 * A side's environment: the inherited variables (those of this process unless programs of other people are executed), the variables
 * that the benchmark sets, and the name of the side. Node in a program that times itself preloads the module with which files of
 * tinybench, mitata and vitest take part unchanged.
 */
export function sideEnvironment(
  side: Side,
  benchmark: Pick<Benchmark, 'environment' | 'workload'>,
  inherited: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !perRun.has(name)) environment[name] = value;
  }
  const own = { ...environment, ...benchmark.environment[side], DEADHEAT_SIDE: side };
  return workloadFacts[benchmark.workload].protocol ? withPreload(own) : own;
}

function withPreload(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { NODE_OPTIONS: options = '' } = environment;
  const preload = `--import=${import.meta.resolve('@deadheat/harness/register')}`;
  return { ...environment, NODE_OPTIONS: options === '' ? preload : `${options} ${preload}` };
}

/** The environment of a side's program: for a plain command it says that its whole execution is an iteration. */
export function programEnvironment(
  side: Side,
  benchmark: Pick<Benchmark, 'environment' | 'workload'>,
  inherited: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  return { ...sideEnvironment(side, benchmark, inherited), ...workloadVariables(benchmark) };
}

/** Variables with the kind of measurement, for a program that might otherwise assume another one. */
export function workloadVariables({ workload }: Pick<Benchmark, 'workload'>): Readonly<Record<string, string>> {
  return workloadFacts[workload].timesItself ? {} : { DEADHEAT_WORKLOAD: workload };
}

/** Set anew for every run by whoever starts the program, or not at all: an outer duet's page is not this one's. */
const perRun = new Set([
  'DEADHEAT_RUN',
  'DEADHEAT_CPUS',
  'DEADHEAT_MARK',
  'DEADHEAT_PAD',
  'DEADHEAT_SIDE',
  'DEADHEAT_WORKLOAD',
  'DEADHEAT_PAGE',
  'DEADHEAT_RECORD',
  'DEADHEAT_ITERATIONS',
  'DEADHEAT_LATER_ITERATIONS',
  'DEADHEAT_WARMUP',
  'DEADHEAT_SAMPLES',
  'DEADHEAT_FILL',
  'DEADHEAT_WAIT',
  'DEADHEAT_TRADE',
  'DEADHEAT_CALIBRATION',
]);

/**
 * Variables of the workload protocol that differ from run to run, for a program that times itself.
 *
 * @param options.page path of the shared page; `null` = there is no barrier
 * @param options.record whether the program itself writes its file
 * @param options.wait how it waits at the barrier
 */
export function protocolVariables(
  { selfTimed, cpus }: RunRequest,
  options: { readonly side: Side; readonly page: string | null; readonly record: boolean; readonly wait: WaitPolicy },
): Readonly<Record<string, string>> {
  if (selfTimed === null) return {};
  const { side, page, record, wait } = options;
  const { files, iterations, laterIterations, warmup, samples, fill, tradeEvery, calibration } = selfTimed;
  const [own] = cpus[side];
  const [peer] = cpus[side === 'A' ? 'B' : 'A'];
  return {
    DEADHEAT_CALIBRATION: calibration,
    ...(page === null ? {} : { DEADHEAT_PAGE: page }),
    ...(page === null || wait === 'spin' ? {} : { DEADHEAT_WAIT: wait }),
    ...(record ? { DEADHEAT_RECORD: files[side] } : {}),
    ...(iterations === null ? {} : { DEADHEAT_ITERATIONS: String(iterations) }),
    ...(laterIterations === undefined ? {} : { DEADHEAT_LATER_ITERATIONS: String(laterIterations) }),
    ...(warmup === null ? {} : { DEADHEAT_WARMUP: String(warmup) }),
    ...(samples === undefined ? {} : { DEADHEAT_SAMPLES: String(samples) }),
    // On a core that both share, filling would take time from the side that is measured.
    ...(fill && page !== null && own !== peer ? { DEADHEAT_FILL: '1' } : {}),
    ...(tradeEvery === null || page === null ? {} : { DEADHEAT_TRADE: `${tradeEvery}:${own},${peer}` }),
  };
}
