/**
 * Steps in one unit of amount, in every workload and language. {@link workloads} describes the steps. The number is
 * small enough that a unit of the slowest workload takes 3 % of a millisecond, and large enough that amounts fit in 32
 * bits.
 */
export const stepsPerUnit = 100;

/**
 * A step: three shifts and three exclusive ors of one 32-bit integer, each needing the one before; nothing leaves the
 * registers.
 *
 * @param amount units of work, a whole number from 0 to 2^31 - 1
 * @returns the integer after the last step, from 0 to 2^32 - 1
 *
 * Source of the role: Bulej et al., ICPE'20, section 4.4. Of the step: Marsaglia, "Xorshift RNGs", J. Stat. Soft. 8:14 (2003).
 */
export function integerWork(amount: number): number {
  let x = 2463534242;
  for (let unit = 0; unit < amount; unit++) {
    for (let step = 0; step < stepsPerUnit; step++) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
    }
  }
  return x >>> 0;
}

/**
 * A step: two multiplications and a subtraction of float64, each needing the one before (a chaotic logistic map, so that
 * no step can be foreseen); nothing leaves the registers.
 *
 * @param amount units of work, a whole number from 0 to 2^31 - 1
 * @returns the number after the last step, between 0 and 1
 *
 * Source of the role: Bulej et al., ICPE'20, section 4.4.
 */
export function floatWork(amount: number): number {
  let x = 0.5;
  for (let unit = 0; unit < amount; unit++) {
    for (let step = 0; step < stepsPerUnit; step++) x = 3.7 * x * (1 - x);
  }
  return x;
}

/** Bytes of the walk where nobody says. */
const cacheBytes = 4 * 2 ** 20;
/** Elements of a cache line of 64 bytes. */
const stride = 16;

/** Memory that {@link cacheWork} walks over: `bytes`, a power of two. */
export function createCacheData(bytes: number = cacheBytes): Uint32Array {
  const data = new Uint32Array(bytes / Uint32Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < data.length; i++) data[i] = Math.imul(i, 2654435761);
  return data;
}

/**
 * A step: a load from the next cache line, which of 4 MiB mostly hits in the last level cache; after the last line the
 * first comes again.
 *
 * @param amount units of work, a whole number from 0 to 2^31 - 1
 * @param data from {@link createCacheData}; not changed
 * @returns a sum over what was loaded, from 0 to 2^32 - 1
 *
 * Source of the role and the size: Bulej et al., ICPE'20, section 4.4.
 */
export function cacheWork(amount: number, data: Uint32Array): number {
  const mask = data.length - 1;
  let at = 0;
  let sum = 0;
  for (let unit = 0; unit < amount; unit++) {
    for (let step = 0; step < stepsPerUnit; step++) {
      sum = (sum + ((data[at] as number) ^ unit)) | 0;
      at = (at + stride) & mask;
    }
  }
  return sum >>> 0;
}

/** Bytes of the walk where nobody says. */
const memoryBytes = 64 * 2 ** 20;

/**
 * Memory that {@link memoryWork} walks over: `bytes`, a power of two, in slots of four, each holding the number of the next. The walk
 * visits every slot before it comes back: it is a linear congruential generator with full period.
 */
export function createMemoryData(bytes: number = memoryBytes): Uint32Array {
  const next = new Uint32Array(bytes / Uint32Array.BYTES_PER_ELEMENT);
  for (let i = 0; i < next.length; i++) next[i] = (Math.imul(i, 1664525) + 1013904223) & (next.length - 1);
  return next;
}

/**
 * A step: a load from a slot that only the load before names, somewhere in the data; of 64 MiB it mostly misses every cache.
 *
 * @param amount units of work, a whole number from 0 to 2^31 - 1
 * @param next from {@link createMemoryData}; not changed
 * @param from slot to begin at
 * @returns the slot after the last step
 *
 * Source of the role and the size: Bulej et al., ICPE'20, section 4.4. Of the constants: Press et al., Numerical Recipes,
 * 3rd ed., section 7.1; the period: Hull and Dobell, SIAM Review 4:3 (1962).
 */
export function memoryWork(amount: number, next: Uint32Array, from: number = 0): number {
  let at = from;
  for (let unit = 0; unit < amount; unit++) {
    for (let step = 0; step < stepsPerUnit; step++) at = next[at] as number;
  }
  return at;
}

export const workloadNames = ['integer', 'float', 'cache', 'memory'] as const;
export type WorkloadName = (typeof workloadNames)[number];

/** A workload: work of a known amount, with the same steps and the same result in JavaScript and in C. */
export interface Workload {
  /** Description of one step, for people. */
  readonly step: string;
  /** The resource that the workload uses, for people. */
  readonly uses: string;
  /**
   * Prepares the data of the work outside the measured time, in a working set of `workingSetBytes` where the workload
   * has one, and returns the function that works.
   */
  readonly prepare: (workingSetBytes?: number) => (amount: number) => number;
}

/** The four artificial workloads of Bulej et al., ICPE'20, section 4.4. */
export const workloads: Readonly<Record<WorkloadName, Workload>> = {
  integer: {
    step: '3 shifts and 3 exclusive ors of an integer',
    uses: 'registers',
    prepare: () => integerWork,
  },
  float: {
    step: '2 multiplications and a subtraction of float64',
    uses: 'registers',
    prepare: () => floatWork,
  },
  cache: {
    step: 'a load from the next cache line of 4 MiB',
    uses: 'last level cache',
    prepare: (workingSetBytes) => {
      const data = createCacheData(workingSetBytes);
      return (amount) => cacheWork(amount, data);
    },
  },
  memory: {
    step: 'a load from a random place in 64 MiB',
    uses: 'memory',
    prepare: (workingSetBytes) => {
      const next = createMemoryData(workingSetBytes);
      return (amount) => memoryWork(amount, next);
    },
  },
};
