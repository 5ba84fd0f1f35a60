import type { ExperimentDimension } from '@deadheat/analysis';
import { badValue } from 'deadheat/settings';

const least = 2;

/** Reads a list of runs x iterations, such as `10x100,20x3000`; both at least 2. */
export function parseDimensions(flag: string): (value: string) => readonly ExperimentDimension[] {
  const allowed = `a list of runs x iterations, both at least ${least}, such as 10x100,20x3000`;
  return (value) => {
    let offset = 0;
    return value.split(',').map((part) => {
      const [, runs, iterations] = /^(\d{1,9})x(\d{1,9})$/.exec(part) ?? [];
      const dimension = { runs: Number(runs), iterations: Number(iterations) };
      if (!(dimension.runs >= least && dimension.iterations >= least)) throw badValue(flag, value, { allowed, offset });
      offset += part.length + 1;
      return dimension;
    });
  };
}
