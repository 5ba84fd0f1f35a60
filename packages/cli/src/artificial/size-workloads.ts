import { monotonicNowNs } from '@deadheat/sync';
import { agreeOnAmount, runAlone } from '@deadheat/workloads';
import type { SizedWorkload, StudyRequest } from '../commands/study/study-request.ts';

/**
 * Calibrates the workloads of a study, and sees what the start of each costs, one after the other.
 *
 * @returns `null` when `signal` aborted meanwhile
 * @throws WorkloadError as `agreeOnAmount` and `runAlone`
 */
export async function sizeWorkloads(
  { workloads, language, durationNs }: Pick<StudyRequest, 'workloads' | 'language' | 'durationNs'>,
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
