import type { DoctorFacts } from '../doctor-facts.ts';
import { effectOfCount, meanOf, percentOf } from '../effects.ts';
import type { Finding } from '../finding.ts';

const noteworthy = 0.01;
/** Below this part of the memory available the kernel begins to look for pages to take back. */
const scarce = 0.1;

/** Programs that wait for memory. */
export function memoryPressure({ machine, pressure, disturbances }: DoctorFacts): Finding | null {
  const { memoryAvailableBytes, memoryTotalBytes } = machine;
  const available =
    memoryAvailableBytes === null || memoryTotalBytes === 0 ? null : memoryAvailableBytes / memoryTotalBytes;
  const during = meanOf(disturbances, 'memory-pressure');
  const effect = effectOfCount(disturbances, { name: 'memory-pressure', sign: 'longer' });
  const isScarce = available !== null && available < scarce;
  if (effect === null && !isScarce && Math.max(during, pressure.memory ?? 0) < noteworthy) return null;
  const seen = [
    ...(disturbances === null ? [] : [`some program waited for memory in ${percentOf(during)} of the runs' time`]),
    ...(pressure.memory === null ? [] : [`in ${percentOf(pressure.memory)} of the 10 s before`]),
    ...(available === null ? [] : [`${percentOf(available)} of the memory is available`]),
  ];
  return {
    code: 'MEMORY_PRESSURE',
    title: 'Programs wait for memory',
    effect,
    evidence: seen.join('; '),
    advice: {
      withoutRoot: 'End programs that hold memory, give the container more of it, or take a larger machine.',
      asRoot: 'Turn swap off for the time of the measurements (swapoff -a), when the memory suffices without it.',
    },
    applies: null,
  };
}
