import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { makeTemporaryFolder, removeRegistered } from '@deadheat/sync';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkloadName } from './javascript/workloads.ts';
import { buildProgram } from './c/build-program.ts';
import { WorkloadError } from './workload-error.ts';

/** Languages in which the workloads and the load are written. */
export const languages = ['js', 'c'] as const;
export type Language = (typeof languages)[number];

/** The amount of work of a workload. */
export interface WorkloadOrder {
  readonly workload: WorkloadName;
  /** Units of work an iteration, from 0 to 2^31 - 1. */
  readonly amount: number;
  /** Iterations where the runner does not say how many; at least 1. */
  readonly iterations: number;
  /** Bytes that `cache` or `memory` walks over, a power of two from 4096 to 2^31; absent = its own. */
  readonly workingSetBytes?: number;
}

const walks = new Set<WorkloadOrder['workload']>(['cache', 'memory']);

const script = fileURLToPath(new URL('./javascript/main.js', import.meta.url));

/**
 * Program and arguments of a workload as a process that takes part in a duet. Outside a duet the process executes its
 * iterations one after the other. It prints the result of the last iteration.
 *
 * @throws RangeError for a working set that the workload cannot have; what {@link buildProgram} throws, for the
 *   language c
 */
export function workloadCommand(
  { workload, amount, iterations, workingSetBytes }: WorkloadOrder,
  language: Language,
): readonly string[] {
  const program = language === 'c' ? [buildProgram('workload')] : [process.execPath, script];
  const order = [...program, workload, String(amount), String(iterations)];
  if (workingSetBytes === undefined) return order;
  if (!walks.has(workload)) throw new RangeError(`the workload ${workload} has no working set`);
  if (!Number.isInteger(Math.log2(workingSetBytes)) || workingSetBytes < 2 ** 12 || workingSetBytes > 2 ** 31) {
    throw new RangeError(`a power of two from 4096 to 2^31 bytes expected, not ${workingSetBytes}`);
  }
  return [...order, String(workingSetBytes / 1024)];
}

/** One iteration of a workload that ran alone, as it is recorded. */
interface WorkloadIteration {
  readonly startNs: number;
  readonly endNs: number;
  /** CPU time of the process; `null` where it is not recorded. */
  readonly cpuNs: number | null;
}

/** Iterations of a record that one of our own workloads wrote: its first line names the benchmark. */
function readRecord(text: string): readonly WorkloadIteration[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{"i":'))
    .map((line) => {
      const { s, e, c = null } = JSON.parse(line) as { s: number; e: number; c?: number };
      return { startNs: s, endNs: e, cpuNs: c };
    });
}

/** Result of a workload that ran alone. */
export interface LoneRun {
  readonly iterations: readonly WorkloadIteration[];
  /** Result that the last iteration computed. */
  readonly result: number;
}

/**
 * Runs a workload as a process of its own, outside any duet, and waits for it.
 *
 * @throws WorkloadError `WORKLOAD_FAILED`, and for the language c what {@link buildProgram} throws
 */
export function runAlone(order: WorkloadOrder, language: Language): LoneRun {
  const [file = '', ...args] = workloadCommand(order, language);
  const directory = makeTemporaryFolder('workload');
  try {
    const record = join(directory, 'record.jsonl');
    const env = { ...withoutDuet(process.env), DEADHEAT_RECORD: record };
    const { status, signal, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', env });
    if (status !== 0) {
      const how = signal ?? `status ${status}`;
      throw new WorkloadError('WORKLOAD_FAILED', `the workload ${order.workload} ended with ${how}:\n${stderr}`.trim());
    }
    const result = stdout.trimEnd().split('\n').at(-1);
    return { iterations: readRecord(readFileSync(record, 'utf8')), result: Number(result) };
  } finally {
    removeRegistered(directory);
  }
}

function withoutDuet(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const duet = /^DEADHEAT_(PAGE|SIDE|RECORD|ITERATIONS|WARMUP|FILL|CALIBRATION|TRADE)$/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !duet.test(name)));
}
