import type { Noise } from '@deadheat/model';
import { CounterDifferences, CounterFile, counterKey } from './counters.ts';
import { readCpuGroups } from './cgroups.ts';

/** user nice system idle iowait irq softirq steal: the eighth number of a cpu line (proc(5)). */
const stealColumn = 7;

/** Kernel counters around a run; made by {@link createNoiseProbe}. All synchronous. */
export interface NoiseProbe {
  /** Takes the counters before a run. */
  start(): void;
  /** What has happened since the last `start`; since the probe was made when there was none. */
  stop(): Noise;
  /** Closes the files; a later `stop` holds nothing but `null`. */
  close(): void;
}

export interface NoiseProbeOptions {
  /** Folder that stands for `/`. */
  readonly root?: string;
  /** CPUs of the experiment. */
  readonly cpus: readonly number[];
}

/**
 * Opens the kernel's counters of what disturbs a run. A counter that this machine does not have gives `null`; nothing
 * throws. The files stay open: a reading costs one `pread` a file into a buffer that is kept.
 *
 * - `stealNs` comes in steps of {@link stealTickNs}: a short run shows 0 or a whole step, the sum over many runs is
 *   right. `null` when any of the CPUs has no such counter.
 * - `throttledNs` is that of the control group that was held back longest (times of nested groups overlap), summed
 *   over the group's CPUs and booked by the kernel when the group may go on. 0 when no visible group had a quota as the
 *   probe was made, `null` when none could have one.
 * - `contextSwitches` stands in /proc/stat behind the `intr` line, which is long on machines with many interrupts. It
 *   costs next to nothing all the same: the kernel composes the whole file whenever its first byte is read, and
 *   steal times are told nowhere else.
 */
export function createNoiseProbe(options: NoiseProbeOptions): NoiseProbe {
  const { root = '/', cpus } = options;
  const experimentCpus = [...new Set(cpus)];
  const stat = new CounterDifferences(CounterFile.open(root, '/proc/stat'), [
    counterKey('ctxt'),
    ...experimentCpus.map((cpu) => counterKey(`cpu${cpu}`, stealColumn)),
  ]);
  const groups = readCpuGroups(root);
  const limited = groups
    .filter((group) => group.quota !== null)
    .map((group) => {
      const [word, unitNs] =
        group.version === 2 ? (['throttled_usec', 1000] as const) : (['throttled_time', 1] as const);
      const file = CounterFile.open(root, `${group.directory}/cpu.stat`);
      return { unitNs, differences: new CounterDifferences(file, [counterKey(word)]) };
    });
  let closed = false;

  function stolenNs(): number | null {
    let ticks = 0;
    for (let i = 1; i <= experimentCpus.length; i += 1) {
      const moved = stat.since(i);
      if (moved === null) return null;
      ticks += moved;
    }
    return experimentCpus.length === 0 ? null : ticks * stealTickNs;
  }

  function heldBackNs(): number | null {
    let longest = groups.length > 0 && limited.length === 0 && !closed ? 0 : null;
    for (const { differences, unitNs } of limited) {
      const moved = differences.since(0);
      if (moved !== null) longest = Math.max(longest ?? 0, moved * unitNs);
    }
    return longest;
  }

  return {
    start() {
      stat.mark();
      for (const { differences } of limited) differences.mark();
    },
    stop() {
      stat.read();
      for (const { differences } of limited) differences.read();
      return { stealNs: stolenNs(), throttledNs: heldBackNs(), contextSwitches: stat.since(0) };
    },
    close() {
      closed = true;
      stat.close();
      for (const { differences } of limited) differences.close();
    },
  };
}

/** Probes of the CPUs that runs occupy; runs that are in flight at the same time occupy different ones. */
export class NoiseProbes {
  readonly #probes = new Map<string, NoiseProbe>();

  of(cpus: readonly number[]): NoiseProbe {
    const key = cpus.toSorted((a, b) => a - b).join();
    const known = this.#probes.get(key);
    if (known !== undefined) return known;
    const probe = createNoiseProbe({ cpus });
    this.#probes.set(key, probe);
    return probe;
  }

  close(): void {
    for (const probe of this.#probes.values()) probe.close();
  }
}

/** Step of the steal counters: /proc/stat counts in USER_HZ, 100 a second on every architecture Node runs on (proc(5)). */
export const stealTickNs = 10_000_000;
