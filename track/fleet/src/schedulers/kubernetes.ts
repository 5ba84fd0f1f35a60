import { setTimeout as pause } from 'node:timers/promises';
import { DeadheatError } from '@deadheat/model';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Container, Pod } from 'kubernetes-types/core/v1.d.ts';
import { z } from 'zod';
import { ask, idsOf, saidBy, type Scheduler, type Submission, type SubmittedJob, type TaskEnd } from './scheduler.ts';

/** Label of jobs and pods by which they are asked for, and that of nodes with their names. */
const [jobLabel, nodeLabel] = ['deadheat/job', 'kubernetes.io/hostname'] as const;

const env = z.array(z.looseObject({ name: z.string() })).default([]);
const container = z.looseObject({ name: z.string(), image: z.string(), env });
const containers = z.tuple([container], z.custom<Container>());
const labels = z.record(z.string(), z.string()).optional();
/** The fields that are read of the manifest of a pod; the others are handed on. */
const podSchema = z.looseObject({
  metadata: z.looseObject({ labels }).optional(),
  spec: z.looseObject({ affinity: z.looseObject({}).optional(), containers }),
});

/**
 * An Indexed Job whose pods execute the script, no two of them on one node. It replaces pods that were evicted or that a node lost, also
 * while the node may still execute them: it has no failure policy, with which it would wait until that node is removed.
 * Source: the API reference of batch/v1 and the page "Jobs" of Kubernetes' documentation.
 *
 * @throws DeadheatError `BAD_VALUE` where the manifest names no container with an image
 */
export function toJob({ name, script, tasks, node, pod }: Omit<Submission, 'options' | 'title' | 'folder'>): Job {
  const { data, error } = podSchema.safeParse(pod);
  if (data === undefined) {
    const { path, message } = error.issues[0] ?? { path: [], message: '' };
    const subject = path.join('.') || 'content';
    throw new DeadheatError('BAD_VALUE', `the manifest of the pod (--pod) has no valid ${subject}: ${message}`);
  }
  const { metadata, spec } = data;
  const [first, ...others] = spec.containers;
  const own = { [jobLabel]: name };
  const apart = { labelSelector: { matchLabels: own }, topologyKey: nodeLabel };
  const preference = { matchExpressions: [{ key: nodeLabel, operator: 'In', values: [node ?? ''] }] };
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] };
  const affinity = {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] },
    ...(node === null ? {} : { nodeAffinity }),
    ...spec.affinity,
  };
  const where = { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } };
  const runs = [{ ...first, command: ['/bin/sh', script], env: [...first.env, where] }, ...others];
  const template = {
    metadata: { ...metadata, labels: { ...metadata?.labels, ...own } },
    spec: { ...spec, restartPolicy: 'Never', affinity, containers: runs },
  };
  // The script ends with 0 where a part fails, so that what counts as a failure is a disruption.
  const counts = { completions: tasks, parallelism: tasks, backoffLimit: 20 * tasks };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, labels: own } } as const;
  return { ...job, spec: { completionMode: 'Indexed', ...counts, template } };
}

/** What `kubectl` says where it is not known whether the server took a job. */
const unanswered =
  /Unable to connect|connection (?:refused|reset)|the connection to the server|EOF|timeout|TooManyRequests|ServiceUnavailable/i;

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
    const input = JSON.stringify(toJob(submission));
    for (let attempt = 1; ; attempt++) {
      try {
        await ask('kubectl', ['create', ...options, '--filename=-'], { input });
        return submission.name;
      } catch (error) {
        const said = saidBy(error);
        // Nobody else knows its name: the server took it, and its answer was lost.
        if (/already exists/i.test(said)) return submission.name;
        if (attempt === 4 || !unanswered.test(said)) throw error;
        await pause(1000 * attempt);
      }
    }
  },
  // It is only preferred.
  noNode: null,
  async watch(jobs, signal) {
    const known = await list<Job>('jobs', jobs, { signal });
    const pods = await podsOf(jobs, { signal });
    return known.flatMap(({ metadata, spec, status }) => {
      const { conditions = [], completedIndexes = '' } = status ?? {};
      if (conditions.some((one) => /^(?:Complete|Failed)$/.test(one.type) && one.status === 'True')) return [];
      const done = [...completedIndexes.matchAll(/(\d+)(?:-(\d+))?/g)].map(([, first, last = first]) => [first, last]);
      return Array.from({ length: spec?.completions ?? 0 }, (_, index) => index)
        .filter((index) => !done.some(([first, last]) => Number(first) <= index && index <= Number(last)))
        .map((index) => {
          // There may be several: those that a node lost, and the one in their place.
          const own = pods.filter((pod) => taskOf(pod).job === metadata?.name && taskOf(pod).task === index + 1);
          const isRunning = own.some((pod) => pod.status?.phase === 'Running');
          const pending = own.findLast((pod) => pod.status?.phase === 'Pending')?.status;
          const waiting = pending?.containerStatuses?.find(({ state }) => state?.waiting !== undefined)?.state?.waiting;
          const why = waiting?.reason ?? pending?.conditions?.find((one) => one.status === 'False')?.reason;
          const reason = isRunning ? null : (why ?? 'no pod yet');
          return { job: metadata?.name ?? '', task: index + 1, isRunning, reason };
        });
    });
  },
  async ends(jobs) {
    const failed = (await podsOf(jobs).catch(() => [])).filter(({ status }) => status?.phase === 'Failed');
    return failed.map((pod) => ({ ...taskOf(pod), ...explain(pod) }));
  },
  async cancel(jobs) {
    await ask('kubectl', ['delete', 'jobs', ...selected(jobs), '--wait=false']);
  },
};

type Asking = { readonly signal?: AbortSignal };

async function list<T>(kind: 'jobs' | 'pods', jobs: readonly SubmittedJob[], asking?: Asking): Promise<readonly T[]> {
  const said = await ask('kubectl', ['get', kind, ...selected(jobs), '--output=json'], asking);
  return (JSON.parse(said) as { readonly items: readonly T[] }).items;
}

/** The pods of jobs, the newest last. */
async function podsOf(jobs: readonly SubmittedJob[], asking?: Asking): Promise<readonly Pod[]> {
  const times = (await list<Pod>('pods', jobs, asking)).map((pod) => ({ pod, at: pod.metadata?.creationTimestamp }));
  return times.toSorted((one, other) => Date.parse(one.at ?? '') - Date.parse(other.at ?? '')).map(({ pod }) => pod);
}

function selected(jobs: readonly SubmittedJob[]): readonly string[] {
  return [...(jobs.at(-1)?.options ?? []), `--selector=${jobLabel} in (${idsOf(jobs).join(',')})`];
}

function taskOf({ metadata }: Pod): { readonly job: string; readonly task: number } {
  const index = Number(metadata?.annotations?.['batch.kubernetes.io/job-completion-index']);
  return { job: metadata?.labels?.[jobLabel] ?? '', task: index + 1 };
}

/** Why a pod failed. Source: the pages "Pod lifecycle" and "Disruptions" of Kubernetes' documentation. */
function explain({ status, spec }: Pod): Pick<TaskEnd, 'reason' | 'isNodeLost'> {
  const node = spec?.nodeName ?? 'its node';
  const moved = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  if (moved !== undefined) return { reason: `had to leave ${node} (${moved.reason ?? moved.type})`, isNodeLost: true };
  const ended = status?.containerStatuses?.find(({ state }) => state?.terminated !== undefined)?.state?.terminated;
  const why = ended?.reason ?? status?.reason;
  const advice = why === 'OOMKilled' ? '; give it more memory (resources in the manifest)' : '';
  const reason = why === undefined ? null : `was ended on ${node} (${why})${advice}`;
  return { reason, isNodeLost: why === 'NodeLost' };
}
