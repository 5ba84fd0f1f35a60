import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createRandom } from '@deadheat/stats';
import { getAffinity, helperEnvironment, monotonicNowNs } from '@deadheat/sync';
import { buildProgram } from '../c/build-program.ts';
import type { Language } from '../workload-command.ts';
import { WorkloadError } from '../workload-error.ts';

/** An interval in which the load is busy, in ns since the start of the load. */
export interface Phase {
  readonly startNs: number;
  /** Infinity: until the load ends. */
  readonly endNs: number;
}

/** When a load is busy. */
export type LoadPlan =
  | { readonly mode: 'idle' | 'busy' }
  | {
      readonly mode: 'bursts';
      readonly seed: string;
      /** Mean length of a busy and of an idle stretch; both lengths are exponential. */
      readonly busyMeanNs: number;
      readonly idleMeanNs: number;
    }
  | {
      readonly mode: 'waves';
      /** Length of a wave, from idle over busy to idle. */
      readonly periodNs: number;
    };

/** Smallest mean length of a stretch. The delay of timers would distort shorter ones. */
export const leastMeanNs = 1e6;

/** Waves are made of slots, each of which begins with a busy share. */
const slotsOfWave = 1000;
const longestSlotNs = 200e6;
/** Smallest length of a wave; its slots are those of a burst and a pause. */
export const leastPeriodNs: number = slotsOfWave * 2 * leastMeanNs;

/** The share of a slot that is busy rises and falls as a cosine does, from 0 to 1 and back. */
function* wavePhases(periodNs: number): Generator<Phase, void, undefined> {
  if (!(periodNs >= leastPeriodNs)) throw new RangeError(`a wave must last at least ${leastPeriodNs} ns`);
  const slotNs = Math.min(longestSlotNs, periodNs / slotsOfWave);
  for (let slot = 0; ; slot++) {
    const startNs = Math.round(slot * slotNs);
    const busyNs = Math.round((slotNs * (1 - Math.cos((2 * Math.PI * (slot + 0.5) * slotNs) / periodNs))) / 2);
    if (busyNs > 0) yield { startNs, endNs: startNs + busyNs };
  }
}

/**
 * The busy phases of a load in order of time; an endless sequence for bursts and waves. Bursts begin with an idle stretch. The
 * same plan gives the same phases, so that every core that follows it is busy at the same moments.
 *
 * @throws RangeError, at the first phase, when a mean is below {@link leastMeanNs} or a wave shorter than {@link leastPeriodNs}
 */
export function* burstPhases(plan: LoadPlan): Generator<Phase, void, undefined> {
  if (plan.mode === 'busy') yield { startNs: 0, endNs: Infinity };
  if (plan.mode === 'waves') yield* wavePhases(plan.periodNs);
  if (plan.mode !== 'bursts') return;
  if (!(plan.busyMeanNs >= leastMeanNs && plan.idleMeanNs >= leastMeanNs)) {
    throw new RangeError(`the mean lengths of a burst and of a pause must be at least ${leastMeanNs} ns`);
  }
  const random = createRandom(plan.seed);

  function draw(mean: number): number {
    return Math.round(-Math.log(1 - random.next()) * mean);
  }

  for (let at = 0; ;) {
    const startNs = at + draw(plan.idleMeanNs);
    const endNs = startNs + draw(plan.busyMeanNs);
    yield { startNs, endNs };
    at = endNs;
  }
}

/** Settings of a load. */
export interface LoadOptions {
  readonly plan: LoadPlan;
  /** CPUs that all follow the plan at the same moments; `all` = every one this process may use. */
  readonly cpus: 'all' | readonly number[];
  readonly language: Language;
  /** `integer` takes the core; `memory` takes memory bandwidth as well. */
  readonly work: 'integer' | 'memory';
  /** `realtime`: before every ordinary process, where the system allows it; only of the language c. */
  readonly priority: 'normal' | 'realtime';
}

/** A running load. It ends with this process. */
export interface Load {
  readonly pids: readonly number[];
  /** CLOCK_MONOTONIC in ns at the start of the plan. */
  readonly originNs: number;
  /** Ends every process of the load and waits until they are gone. */
  readonly stop: () => Promise<void>;
  /** Settles when the load has ended: rejects with `LOAD_LOST` unless it was stopped. */
  readonly ended: Promise<void>;
}

/** Time by which a process of the load knows its phases in advance, and the interval at which new phases are sent. */
const aheadNs = 20e9;
const renewalMs = 5000;
const leadNs = 5e6;

const script = fileURLToPath(new URL('./main.js', import.meta.url));

/**
 * Starts one process a CPU that is busy in the phases of the plan; returns when all are ready and the plan has begun.
 *
 * @throws RangeError for real-time priority in JavaScript, and for means of less than 1 ms
 * @throws WorkloadError `CPU_NOT_USABLE`, `LOAD_LOST`, and what {@link buildProgram} throws
 */
export async function startLoad(options: LoadOptions): Promise<Load> {
  if (options.priority === 'realtime' && options.language !== 'c') {
    throw new RangeError('real-time priority needs the language c');
  }
  // Throws for a wrong plan before any process is started.
  burstPhases(options.plan).next();
  const cpus = chooseCpus(options.cpus);
  const [file = '', ...first] = options.language === 'c' ? [buildProgram('load')] : [process.execPath, script];
  const children = cpus.map((cpu) =>
    spawn(file, [...first, String(cpu), options.work, options.priority], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: helperEnvironment(),
    }),
  );
  // A process that has ended has closed its end of the pipe. Its exit event reports the end, so the error of the pipe
  // is ignored.
  for (const child of children) child.stdin.on('error', () => {});
  let stopping = false;
  let renewal: NodeJS.Timeout | undefined;
  const exits = children.map(exitOf);

  async function endAll(): Promise<void> {
    stopping = true;
    clearInterval(renewal);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(exits);
  }

  const ended = Promise.race(exits).then(async (how) => {
    if (stopping) return;
    await endAll();
    throw new WorkloadError('LOAD_LOST', `a process of the load ended on its own (${how}).\nStart the load again.`);
  });
  ended.catch(() => {});
  await Promise.race([Promise.all(children.map(readiness)), ended]);

  const originNs = monotonicNowNs() + leadNs;
  const phases = burstPhases(options.plan);
  let sentNs = 0;

  function sendPhases(): void {
    const untilNs = monotonicNowNs() - originNs + aheadNs;
    let text = '';
    while (sentNs < untilNs) {
      const { value } = phases.next();
      text += value === undefined ? '' : lineOf(value, originNs);
      sentNs = value?.endNs ?? Infinity;
    }
    if (text !== '') for (const child of children) child.stdin.write(text);
  }

  sendPhases();
  if (Number.isFinite(sentNs)) renewal = setInterval(sendPhases, renewalMs);
  return { pids: children.flatMap(({ pid }) => pid ?? []), originNs, stop: endAll, ended };
}

/** Largest integer that a float64 holds and an int64 too: 104 days of ns, later than any end. */
const foreverNs = Number.MAX_SAFE_INTEGER;

function lineOf({ startNs, endNs }: Phase, originNs: number): string {
  return `${originNs + startNs} ${Number.isFinite(endNs) ? originNs + endNs : foreverNs}\n`;
}

function chooseCpus(wanted: LoadOptions['cpus']): readonly number[] {
  const usable = getAffinity();
  if (wanted === 'all') return usable;
  const missing = wanted.find((cpu) => !usable.includes(cpu));
  if (missing === undefined) return wanted;
  throw new WorkloadError(
    'CPU_NOT_USABLE',
    `CPU ${missing} cannot be used here; these can: ${usable.join(', ')}.\nName some of them, or all.`,
  );
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `status ${code}`));
  });
}

function readiness(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.stdout?.once('data', () => resolve()));
}
