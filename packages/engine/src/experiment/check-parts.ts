import { configOf, type ExperimentConfig } from '@deadheat/model';
import type { MachineKey } from '../recorded/comparable-config.ts';
import { EngineError } from '../engine-error.ts';
import { mostParts } from '../plan/index.ts';

/**
 * Looks whether the runs of an experiment can be divided into so many parts.
 *
 * @throws EngineError `CANNOT_DIVIDE` where a number of runs is not known beforehand, or would leave a part without runs
 */
export function checkParts(config: Omit<ExperimentConfig, MachineKey>, count: number): void {
  for (const benchmark of config.benchmarks) {
    const own = configOf({ ...config, cpus: [0, 0], tandemCpus: [], sequentialCpus: [], lanes: 1 }, benchmark);
    const { stop } = own;
    if (stop.kind !== 'runs') {
      throw new EngineError(
        'CANNOT_DIVIDE',
        `${benchmark.name} cannot be divided into parts: how many runs it gets is known only at its end. ` +
          'Give it a number of runs in the file: runs: 40',
      );
    }
    const most = mostParts({ ...own, runs: stop.runs });
    if (count <= most) continue;
    const blocks = most < stop.runs ? ` in ${most} blocks of two that trade cores` : '';
    throw new EngineError(
      'CANNOT_DIVIDE',
      `${benchmark.name} has ${stop.runs} runs${blocks}, too few for ${count} parts. Make at most ${most} parts, or more runs.`,
    );
  }
}
