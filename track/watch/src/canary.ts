import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { type ExperimentDraft, obstacleHere } from '@deadheat/engine';
import { type Benchmark, benchmarkDefaults, defaultSettings, experimentDefaults, type Method } from '@deadheat/model';
import { workloadCommand, type WorkloadName } from '@deadheat/workloads';
import { canaryProject } from '@deadheat/history';

/**
 * Units of work an iteration: some 50 ms on a processor of 2020. They are the same on every machine and in every version, so that the
 * times of months and machines compare: integers show the frequency of the cores, memory shows what neighbours take of it.
 */
const amounts: Partial<Readonly<Record<WorkloadName, number>>> = { integer: 60_000, memory: 400 };
const runs = 15;
const iterations = 10;
/** A difference of a workload from itself beyond this is an alarm. */
const margin = 0.01;

/**
 * The canary of this host: artificial workloads of a fixed amount, each compared with itself. Every one is a series of its own for each
 * host. It takes about half a minute.
 */
export function canaryDraft(): ExperimentDraft {
  const method: Method = obstacleHere('tandem') === null ? 'tandem' : 'sequential';
  return {
    ...defaultSettings(method, 'harness'),
    ...experimentDefaults,
    confidence: 0.99,
    margin,
    stop: { kind: 'runs', runs },
    maxTimeNs: null,
    iterations,
    name: canaryProject,
    benchmarks: Object.entries(amounts).map(([workload, amount]): Benchmark => {
      const commandLine = `deadheat lab workload ${workload} --amount ${amount}`;
      const argv = [...workloadCommand({ workload: workload as WorkloadName, amount, iterations }, 'js')];
      const command = { name: commandLine, commandLine, argv, executedBy: 'direct' as const };
      return {
        ...benchmarkDefaults,
        name: workload,
        params: { host: hostname() },
        commands: { A: command, B: command },
        workload: 'harness',
      };
    }),
    cpus: null,
    seed: randomBytes(4).toString('hex'),
  };
}
