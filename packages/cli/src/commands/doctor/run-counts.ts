import type { RunCount } from '@deadheat/analysis';
import type { Stress } from '@deadheat/engine';
import { sides } from '@deadheat/model';
import type { CountName } from './doctor-facts.ts';

/** What is counted in every run, from its journal line and from the look after it, by number of the trial. */
export function runCounts(stresses: ReadonlyMap<number, Stress>): readonly RunCount<CountName>[] {
  const stress =
    (key: keyof Stress): RunCount['of'] =>
    ({ trial }) =>
      stresses.get(trial)?.[key] ?? null;
  return [
    {
      name: 'steal',
      of: ({ noise, wallNs, sides: own }) => {
        const cpus = new Set(sides.flatMap((side) => own[side].cpus ?? [own[side].cpu])).size;
        return noise.stealNs === null ? null : noise.stealNs / Math.max(1, cpus * wallNs);
      },
    },
    {
      name: 'throttled',
      of: ({ noise, wallNs }) => (noise.throttledNs === null ? null : noise.throttledNs / Math.max(1, wallNs)),
    },
    { name: 'cpu-pressure', of: stress('cpuPressure') },
    { name: 'memory-pressure', of: stress('memoryPressure') },
    { name: 'heat', of: stress('heatThrottles') },
    {
      name: 'frequency',
      of: (trial) => {
        const hertz = stress('frequencyHz')(trial);
        return hertz === null || hertz <= 0 ? null : Math.log(hertz);
      },
    },
    { name: 'time', of: ({ trial }) => trial },
  ];
}
