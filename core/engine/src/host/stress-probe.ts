import { readInteger, readText } from './read-text.ts';

const cpuFolder = '/sys/devices/system/cpu';

/** The stress between two readings; `null` = this machine does not report it. */
export interface Stress {
  /** Part of the time in which some task of the machine waited for a CPU. */
  readonly cpuPressure: number | null;
  /** Part of the time in which some task waited for memory. */
  readonly memoryPressure: number | null;
  /** Number of times that one of the CPUs was slowed because it was too hot. */
  readonly heatThrottles: number | null;
  /** Mean frequency of the CPUs at the time of the reading, Hz. */
  readonly frequencyHz: number | null;
}

/** Reads the stress of a machine; created by {@link createStressProbe}. */
export interface StressProbe {
  /** The stress since the last reading, or since the probe was created. */
  look(): Stress;
}

export interface StressProbeOptions {
  /** Folder that stands for `/`. */
  readonly root?: string;
  /** CPUs of the experiment. */
  readonly cpus: readonly number[];
  /** Monotonic clock, ns. */
  readonly nowNs: () => number;
}

/**
 * Reads the stress of the machine between runs, beside the counters of a noise probe for each run. Costs some readings of
 * small files, so it is not for every experiment. Never throws.
 */
export function createStressProbe({ root = '/', cpus, nowNs }: StressProbeOptions): StressProbe {
  const own = [...new Set(cpus)];
  function read() {
    return {
      atNs: nowNs(),
      cpuNs: readPressure('cpu', root)?.totalNs ?? null,
      memoryNs: readPressure('memory', root)?.totalNs ?? null,
      heat: summed(own.map((cpu) => readInteger(root, `${cpuFolder}/cpu${cpu}/thermal_throttle/core_throttle_count`))),
    };
  }
  let last = read();
  return {
    look() {
      const now = read();
      const passedNs = Math.max(1, now.atNs - last.atNs);
      function shareOf(after: number | null, before: number | null): number | null {
        return after === null || before === null ? null : Math.min(1, Math.max(0, after - before) / passedNs);
      }
      const stress: Stress = {
        cpuPressure: shareOf(now.cpuNs, last.cpuNs),
        memoryPressure: shareOf(now.memoryNs, last.memoryNs),
        heatThrottles: now.heat === null || last.heat === null ? null : Math.max(0, now.heat - last.heat),
        frequencyHz: frequencyOf(own, root),
      };
      last = now;
      return stress;
    },
  };
}

/** Frequency in Hz; cpufreq reports kHz. */
function frequencyOf(cpus: readonly number[], root: string): number | null {
  const sum = summed(cpus.map((cpu) => readInteger(root, `${cpuFolder}/cpu${cpu}/cpufreq/scaling_cur_freq`)));
  return sum === null ? null : (sum / cpus.length) * 1000;
}

/** `null` where one is missing, or there is none. */
function summed(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 || known.length < values.length ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Share of time in which something on the machine waits for a resource (pressure stall information, Linux 4.20). */
export interface Pressure {
  /** Part of the last ten seconds in which at least one task waited. */
  readonly share10: number;
  /** Time in which at least one task waited, since the machine was started, ns. */
  readonly totalNs: number;
}

/** The pressure on `cpu`, `memory` or `io` of the whole machine; `null` when the kernel does not report it. */
export function readPressure(resource: 'cpu' | 'memory' | 'io', root = '/'): Pressure | null {
  const match = /^some avg10=(\d+\.\d+) .*\btotal=(\d+)$/m.exec(readText(root, `/proc/pressure/${resource}`) ?? '');
  // Percent and microseconds (Documentation/accounting/psi.rst).
  return match === null ? null : { share10: Number(match[1]) / 100, totalNs: Number(match[2]) * 1000 };
}
