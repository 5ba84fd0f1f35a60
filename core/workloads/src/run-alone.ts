import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workloadCommand, type Language, type WorkloadOrder } from './workload-command.ts';
import { WorkloadError } from './workload-error.ts';

/** One iteration of a workload that ran alone, as it is recorded. */
export interface WorkloadIteration {
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
  const directory = mkdtempSync(join(tmpdir(), 'deadheat-workload-'));
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
    rmSync(directory, { recursive: true, force: true });
  }
}

function withoutDuet(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const duet = /^DEADHEAT_(PAGE|SIDE|RECORD|ITERATIONS|WARMUP|FILL|CALIBRATION|TRADE)$/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !duet.test(name)));
}
