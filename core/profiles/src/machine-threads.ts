import { readdirSync, readFileSync } from 'node:fs';
import { monotonicNowNs } from '@deadheat/sync';
import type { ExecutionProfile } from './profile-builder.ts';

/** Tasks of threads of the virtual machine itself. */
type MachineWork = 'virtual machine' | 'garbage collector' | 'compiler';

/** CPU time that threads used between two readings. */
export interface ThreadTime {
  /** Middle between the readings, ns of CLOCK_MONOTONIC. */
  readonly timeNs: number;
  /** `null` = of the program's own threads. */
  readonly work: MachineWork | null;
  readonly usedNs: number;
}

const betweenMs = 100;
/** The name of a thread is set after its start. */
const readingsOfName = 3;
/** First letters of the names that HotSpot gives its threads; the kernel keeps 15. The profiler's own are left out. */
const names: readonly (readonly [RegExp, MachineWork | 'profiler'])[] = [
  [/^(C[12] Compiler|JVMCI|LibGraal)/i, 'compiler'],
  [/^(GC Thread|G1 |Shenandoah|[ZX](Worker|Driver|Director|Stat|Unmapper|Uncommitter))/, 'garbage collector'],
  [/^(VM Thread|VM Periodic|Sweeper|Service Thread|Monitor Deflat|Signal Dispatch)/, 'virtual machine'],
  [/^JFR /, 'profiler'],
];

/** The task of a thread of HotSpot, by its name; `null` = it is one of the program. */
export function workOfThread(name: string): MachineWork | 'profiler' | null {
  return names.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

interface Thread {
  work: MachineWork | 'profiler' | null;
  readings: number;
  usedNs: number;
}

/**
 * Follows the CPU time of the threads of a virtual machine while it runs, ten times a second, as the kernel's scheduler counts it
 * (`schedstat`, ns). Time that a thread used after the last reading before its end is not seen. Where the kernel does not report it, the
 * result is empty.
 */
export class ThreadTimes {
  readonly #folder: string;
  readonly #threads = new Map<string, Thread>();
  readonly #times: ThreadTime[] = [];
  readonly #timer: NodeJS.Timeout;
  #lastNs = monotonicNowNs();

  constructor(pid: number, folder = `/proc/${pid}/task`) {
    this.#folder = folder;
    this.#timer = setInterval(() => this.read(), betweenMs);
  }

  /** Ends the readings and returns them. */
  end(): readonly ThreadTime[] {
    clearInterval(this.#timer);
    return this.#times;
  }

  read(): void {
    const nowNs = monotonicNowNs();
    const used = new Map<MachineWork | null, number>();
    for (const id of this.#ids()) {
      const thread = this.#threads.get(id) ?? { work: null, readings: 0, usedNs: 0 };
      try {
        if (thread.work === null && thread.readings++ < readingsOfName) {
          thread.work = workOfThread(readFileSync(`${this.#folder}/${id}/comm`, 'utf8'));
        }
        const usedNs = Number(readFileSync(`${this.#folder}/${id}/schedstat`, 'utf8').split(' ', 1)[0]);
        if (thread.work !== 'profiler') used.set(thread.work, (used.get(thread.work) ?? 0) + usedNs - thread.usedNs);
        thread.usedNs = usedNs;
        this.#threads.set(id, thread);
      } catch {
        // It has ended, or the kernel does not count.
        this.#threads.delete(id);
      }
    }
    const timeNs = (this.#lastNs + nowNs) / 2;
    for (const [work, usedNs] of used) if (usedNs > 0) this.#times.push({ timeNs, work, usedNs });
    this.#lastNs = nowNs;
  }

  #ids(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch {
      return [];
    }
  }
}

/**
 * A profile of the program's own threads with those of the virtual machine in it. A sample stays an equal share of the time that it ran: as
 * much CPU time as the program's threads used for each sample of them.
 *
 * @param times of the same run; without any of the program's own the profile stays as it is.
 */
export function withMachineThreads(profile: ExecutionProfile, times: readonly ThreadTime[]): ExecutionProfile {
  const ownNs = times.reduce((sum, { work, usedNs }) => (work === null ? sum + usedNs : sum), 0);
  if (ownNs === 0 || profile.timesNs.length === 0) return profile;
  const perSampleNs = ownNs / profile.timesNs.length;
  const code = [...profile.code];
  const samples = Array.from(profile.timesNs, (timeNs, i) => ({ timeNs, place: profile.places[i] ?? 0 }));
  const known = new Map<MachineWork, { readonly place: number; leftNs: number }>();
  for (const { timeNs, work, usedNs } of times) {
    if (work === null) continue;
    const own = known.get(work) ?? { place: code.length, leftNs: 0 };
    if (!known.has(work)) code.push({ kind: work, method: null, isLastTier: false, isReplaced: false });
    known.set(work, own);
    for (own.leftNs += usedNs; own.leftNs >= perSampleNs; own.leftNs -= perSampleNs) {
      samples.push({ timeNs, place: own.place });
    }
  }
  samples.sort((a, b) => a.timeNs - b.timeNs);
  return {
    ...profile,
    code,
    timesNs: Float64Array.from(samples, ({ timeNs }) => timeNs),
    places: Int32Array.from(samples, ({ place }) => place),
  };
}
