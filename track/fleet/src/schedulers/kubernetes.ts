import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { jobLabel, toJob } from './kubernetes-job.ts';
import { ask, saidBy, type Scheduler, type SubmittedJob, type Task, type TaskEnd } from './scheduler.ts';

/** What `kubectl` says where it is not known whether the server took a job. */
const unanswered =
  /Unable to connect|connection (?:refused|reset)|the connection to the server|EOF|timeout|TooManyRequests|ServiceUnavailable/i;

/** Creates a job, whose name nobody else knows: where it is there already, the server took it and its answer was lost. */
async function create(options: readonly string[], job: Job): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await ask('kubectl', ['create', ...options, '--filename=-'], { input: JSON.stringify(job) });
      return;
    } catch (error) {
      const said = saidBy(error);
      if (/already exists/i.test(said)) return;
      if (attempt === 4 || !unanswered.test(said)) throw error;
      await pause(1000 * attempt);
    }
  }
}

/**
 * Kubernetes, through `kubectl`. A part is a pod of an Indexed Job; its image has `deadheat` and its volumes the folder of the parts.
 * Source: the API reference of batch/v1 and v1.
 */
export const kubernetes: Scheduler = {
  title: 'Kubernetes',
  command: ['deadheat'],
  head: () => '#!/bin/sh\n',
  // A part that failed by itself is not to be started again by the job.
  shell: { task: '(JOB_COMPLETION_INDEX + 1)', node: '$NODE_NAME', status: '0' },
  async submit({ options, ...submission }) {
    await create(options, toJob(submission));
    return submission.name;
  },
  async watch(jobs, signal) {
    const known = await list<Job>('jobs', jobs, signal);
    const pods = await podsOf(jobs, signal);
    return known.flatMap(({ metadata, spec, status }) => {
      const hasEnded = status?.conditions?.some(
        ({ type, status: holds }) => /^(?:Complete|Failed)$/.test(type) && holds === 'True',
      );
      if (hasEnded === true) return [];
      const done = new Set((status?.completedIndexes ?? '').split(',').flatMap(rangeOf));
      const open = Array.from({ length: spec?.completions ?? 0 }, (_, index) => index).filter(
        (index) => !done.has(index),
      );
      return open.map((index) => toTask(metadata?.name ?? '', { index, pods }));
    });
  },
  async ends(jobs) {
    return (await podsOf(jobs).catch(() => [])).flatMap((pod): readonly TaskEnd[] => {
      if (pod.status?.phase !== 'Failed') return [];
      return [{ job: jobOf(pod), task: indexOf(pod) + 1, ...explain(pod) }];
    });
  },
  async cancel(jobs) {
    await ask('kubectl', ['delete', 'jobs', ...selected(jobs), '--wait=false']);
  },
};

async function list<Item>(
  kind: 'jobs' | 'pods',
  jobs: readonly SubmittedJob[],
  signal?: AbortSignal,
): Promise<readonly Item[]> {
  const said = await ask(
    'kubectl',
    ['get', kind, ...selected(jobs), '--output=json'],
    signal === undefined ? {} : { signal },
  );
  return (JSON.parse(said) as { readonly items: readonly Item[] }).items;
}

/** The pods of jobs, the newest last. */
async function podsOf(jobs: readonly SubmittedJob[], signal?: AbortSignal): Promise<readonly Pod[]> {
  function age({ metadata }: Pod): number {
    return Date.parse(metadata?.creationTimestamp ?? '');
  }

  return (await list<Pod>('pods', jobs, signal)).toSorted((one, other) => age(one) - age(other));
}

function selected(jobs: readonly SubmittedJob[]): readonly string[] {
  return [...(jobs.at(-1)?.options ?? []), `--selector=${jobLabel} in (${jobs.map(({ id }) => id).join(',')})`];
}

function jobOf({ metadata }: Pod): string {
  return metadata?.labels?.[jobLabel] ?? '';
}

function indexOf({ metadata }: Pod): number {
  return Number(metadata?.annotations?.['batch.kubernetes.io/job-completion-index']);
}

/** Reads a number or a range of numbers, such as `3-5`. */
function rangeOf(text: string): readonly number[] {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (first === undefined) return [];
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, step) => Number(first) + step);
}

/** The state of an index, for which there may be several pods: those that a node lost, and the one in their place. */
function toTask(job: string, { index, pods }: { readonly index: number; readonly pods: readonly Pod[] }): Task {
  const own = pods.filter((pod) => jobOf(pod) === job && indexOf(pod) === index).map(({ status }) => status);
  if (own.some((status) => status?.phase === 'Running')) return { job, task: index + 1, isRunning: true, reason: null };
  const pending = own.findLast((status) => status?.phase === 'Pending');
  const reason =
    pending?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state?.waiting?.reason ??
    pending?.conditions?.find(({ status }) => status === 'False')?.reason;
  return { job, task: index + 1, isRunning: false, reason: reason ?? 'no pod yet' };
}

/** Why a pod failed. Source: the pages "Pod lifecycle" and "Disruptions" of Kubernetes' documentation. */
function explain({ status, spec }: Pod): Pick<TaskEnd, 'reason' | 'isNodeLost'> {
  const node = spec?.nodeName ?? 'its node';
  const disruption = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (disruption !== undefined)
    return { reason: `had to leave ${node} (${disruption.reason ?? disruption.type})`, isNodeLost: true };
  const ended = status?.containerStatuses?.find(({ state }) => state?.terminated !== undefined)?.state?.terminated;
  const why = ended?.reason ?? status?.reason;
  const advice = why === 'OOMKilled' ? '; give it more memory (resources in the manifest)' : '';
  return {
    reason: why === undefined ? null : `was ended on ${node} (${why})${advice}`,
    isNodeLost: why === 'NodeLost',
  };
}
