import type { ExperimentConfig, Trial } from '@deadheat/model';
import { createRandom } from '@deadheat/stats';
import { aSide, aTrial, iterationsOf } from '../helpers/recordings.ts';

/** Machines that differ, and what is measured on them. */
export interface SimulatedHosts {
  readonly hosts: number;
  readonly runsPerHost: number;
  /** True ratio B / A over all machines. */
  readonly ratio: number;
  /** Standard deviations, as shares: of times between machines, of the ratio between machines, of times between runs. */
  readonly timesBetween: number;
  readonly ratioBetween: number;
  readonly noise: number;
  readonly seed: string;
  readonly method?: ExperimentConfig['method'];
}

/** What every machine of a simulation is. */
export interface SimulatedHost {
  readonly id: string;
  readonly ratio: number;
  readonly slowness: number;
}

/** The machines and their trials: runs of one pair of executions, cores at random. */
export const simulateHosts = (
  options: SimulatedHosts,
): { readonly machines: readonly SimulatedHost[]; readonly trials: readonly Trial[] } => {
  const { hosts, runsPerHost, ratio, timesBetween, ratioBetween, noise, seed, method = 'sync-duet' } = options;
  const random = createRandom(seed);
  const draw = (deviation: number): number => Math.exp(deviation * random.normal());
  const machines = Array.from({ length: hosts }, (_, host) => ({
    id: `host-${String(host + 1).padStart(2, '0')}`,
    ratio: ratio * draw(ratioBetween),
    slowness: draw(timesBetween),
  }));
  const trials = machines.flatMap((machine, host) =>
    Array.from({ length: runsPerHost }, (_, index) => {
      const both = 100e6 * machine.slowness;
      const cpu = random.int(2);
      return aTrial({
        run: host * runsPerHost + index,
        host: machine.id,
        method,
        sides: {
          A: aSide(iterationsOf([both * draw(noise)]), { cpu }),
          B: aSide(iterationsOf([both * machine.ratio * draw(noise)]), { cpu: 1 - cpu }),
        },
      });
    }),
  );
  return { machines, trials };
};
