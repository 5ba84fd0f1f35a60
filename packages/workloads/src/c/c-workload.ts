import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkloadName } from '../javascript/workloads.ts';
import { readRecord, type WorkloadIteration } from '../read-record.ts';
import { WorkloadError } from '../workload-error.ts';
import { buildProgram } from './build-program.ts';

/** How much a workload does. */
export interface WorkloadOrder {
  readonly workload: WorkloadName;
  readonly amount: number;
  /** 0 = until the runner says stop, in a duet only. */
  readonly iterations: number;
}

/** Program and arguments of a workload in C; compiles it where that was not done before. */
export function cWorkloadCommand({ workload, amount, iterations }: WorkloadOrder): readonly string[] {
  return [buildProgram('workload'), workload, String(amount), String(iterations)];
}

/** Runs a workload in C with this process's environment and standard streams, as a part of a duet; its exit code. */
export async function takePartInC(order: WorkloadOrder): Promise<number> {
  const [file = '', ...args] = cWorkloadCommand(order);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('exit', (status) => resolve(status ?? 1));
  });
}

/**
 * Runs a workload in C alone, outside any duet, and waits for it.
 *
 * @returns its iterations, and what the last of them computed
 * @throws WorkloadError `WORKLOAD_FAILED`, and what {@link buildProgram} throws
 */
export function runAloneInC(order: WorkloadOrder): {
  readonly iterations: readonly WorkloadIteration[];
  readonly result: number;
} {
  const [file = '', ...args] = cWorkloadCommand(order);
  const directory = mkdtempSync(join(tmpdir(), 'deadheat-workload-'));
  try {
    const record = join(directory, 'record.jsonl');
    const { status, signal, stdout, stderr } = spawnSync(file, args, {
      encoding: 'utf8',
      env: { ...withoutDuet(process.env), DEADHEAT_RECORD: record },
    });
    if (status !== 0) {
      const how = signal ?? `status ${status}`;
      throw new WorkloadError('WORKLOAD_FAILED', `the workload ${order.workload} ended with ${how}:\n${stderr}`.trim());
    }
    return { iterations: readRecord(readFileSync(record, 'utf8')), result: Number(stdout) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function withoutDuet(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const duet = /^DEADHEAT_(PAGE|SIDE|RECORD|ITERATIONS|WARMUP|FILL|CALIBRATION|TRADE)$/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !duet.test(name)));
}
