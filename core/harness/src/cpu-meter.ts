import type { Sync } from './load-sync.ts';

/** Measures the CPU time of an iteration. */
export interface CpuMeter {
  start(): void;
  stop(): void;
  /** CPU time of the whole process between start and stop, ns. */
  readonly processNs: number;
  /** CPU time of the calling thread alone, ns; `null` = not known. */
  readonly threadNs: number | null;
}

/**
 * Makes a meter. With the C library it is precise to the nanosecond; without it the meter has only the CPU time of the
 * process, to the microsecond.
 */
export function createCpuMeter(sync: Sync | null): CpuMeter {
  return sync === null ? new PortableMeter() : new NativeMeter(sync);
}

class NativeMeter implements CpuMeter {
  processNs = 0;
  threadNs = 0;
  readonly #process: () => number;
  readonly #thread: () => number;
  #processStart = 0;
  #threadStart = 0;

  constructor(sync: Sync) {
    const { processNs, threadNs } = sync.openCpuClocks();
    this.#process = processNs;
    this.#thread = threadNs;
  }

  start(): void {
    this.#processStart = this.#process();
    this.#threadStart = this.#thread();
  }

  stop(): void {
    this.threadNs = this.#thread() - this.#threadStart;
    this.processNs = this.#process() - this.#processStart;
  }
}

class PortableMeter implements CpuMeter {
  processNs = 0;
  readonly threadNs = null;
  #start = process.cpuUsage();

  start(): void {
    this.#start = process.cpuUsage();
  }

  stop(): void {
    const { user, system } = process.cpuUsage(this.#start);
    this.processNs = (user + system) * 1000;
  }
}
