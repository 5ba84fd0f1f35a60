import { type Command, type Method, methodFacts } from '@deadheat/model';
import { monotonicNowNs } from '@deadheat/sync';
import { agreeOnAmount, type Language, runAlone, workloadCommand, type WorkloadName } from '@deadheat/workloads';

/** Duration of a run in durations of one side: sides without a core each share the time. */
export const timesOf = (method: Method): number => (methodFacts[method].cpus === 'one-each' ? 1 : 2);

/** A workload as this machine does it. */
export interface SizedWorkload {
  readonly workload: WorkloadName;
  /** Units of work an iteration. */
  readonly amount: number;
  /** Time of a process besides its iterations, ns. */
  readonly startNs: number;
}

/**
 * Calibrates the workloads of a study, and sees what the start of each costs, one after the other.
 *
 * @returns `null` when `signal` aborted meanwhile
 * @throws WorkloadError as `agreeOnAmount` and `runAlone`
 */
export async function sizeWorkloads(
  {
    workloads,
    language,
    durationNs,
  }: {
    readonly workloads: readonly WorkloadName[];
    readonly language: Language;
    /** Duration that an iteration is calibrated for, ns. */
    readonly durationNs: number;
  },
  signal: AbortSignal,
): Promise<readonly SizedWorkload[] | null> {
  const sized: SizedWorkload[] = [];
  for (const workload of workloads) {
    try {
      const amount = agreeOnAmount({ workload, language, durationNs });
      const beganNs = monotonicNowNs();
      const { iterations } = runAlone({ workload, amount, iterations: 1 }, language);
      const wallNs = monotonicNowNs() - beganNs;
      const workNs = iterations.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0);
      sized.push({ workload, amount, startNs: Math.max(0, wallNs - workNs) });
    } catch (error) {
      // A key that ends this process ends the workload, too, and that is seen first.
      await turn();
      if (!signal.aborted) throw error;
    }
    await turn();
    if (signal.aborted) return null;
  }
  return sized;
}

/** Lets signals that came in while this process was busy be handled: the event loop looks at them once a round. */
async function turn(): Promise<void> {
  for (let round = 0; round < 2; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** An artificial workload of a known amount as a side of a comparison. @throws what `workloadCommand` throws */
export function workloadSide(
  { workload, amount }: SizedWorkload,
  { language, iterations }: { readonly language: Language; readonly iterations: number },
): Command {
  const commandLine = `deadheat lab workload ${workload} --amount ${amount} --language ${language}`;
  const argv = workloadCommand({ workload, amount, iterations }, language);
  return { name: commandLine, commandLine, argv: [...argv], executedBy: 'direct' };
}
