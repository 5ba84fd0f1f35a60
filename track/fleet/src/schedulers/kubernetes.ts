import { DeadheatError } from '@deadheat/model';
import { z } from 'zod';
import {
  ask,
  saidBy,
  type Scheduler,
  type Submission,
  type SubmittedJob,
  type Task,
  type TaskEnd,
} from './scheduler.ts';

/** What is read of the template of pods; all the rest of it is handed on. */
const podSchema = z.looseObject({
  metadata: z.looseObject({ labels: z.record(z.string(), z.string()).optional() }).optional(),
  spec: z.looseObject({
    affinity: z.looseObject({}).optional(),
    containers: z
      .array(z.looseObject({ name: z.string(), image: z.string(), env: z.array(z.unknown()).optional() }))
      .min(1),
  }),
});
const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
});
const conditions = z.array(condition).default([]);
const named = z.object({ name: z.string() });
const jobsSchema = z.object({
  items: z.array(
    z.object({
      metadata: named,
      spec: z.object({ completions: z.int() }),
      status: z.object({ completedIndexes: z.string().default(''), conditions }).prefault({}),
    }),
  ),
});
const reasoned = z.object({ reason: z.string().optional(), exitCode: z.int().optional() }).optional();
const podsSchema = z.object({
  items: z.array(
    z.object({
      metadata: named.extend({
        annotations: z.record(z.string(), z.string()).default({}),
        labels: z.record(z.string(), z.string()).default({}),
        creationTimestamp: z.string().default(''),
      }),
      spec: z.object({ nodeName: z.string().optional() }),
      status: z
        .object({
          phase: z.string().default('Unknown'),
          reason: z.string().optional(),
          conditions,
          containerStatuses: z
            .array(z.object({ state: z.object({ waiting: reasoned, terminated: reasoned }) }))
            .default([]),
        })
        .prefault({}),
    }),
  ),
});
type Pod = z.infer<typeof podsSchema>['items'][number];

/** Label of jobs and pods by which they are asked for. */
const jobLabel = 'deadheat/job';

/**
 * An Indexed Job whose pods execute the script, no two of them on one node. A pod that a node lost, or that was evicted, does not count as a
 * failure of the job. Source: the API reference of batch/v1 and the page "Pod failure policy" of Kubernetes' documentation.
 *
 * @throws DeadheatError `BAD_VALUE` where the template names no container with an image
 */
export function toJob({ name, script, tasks, node, pod }: Omit<Submission, 'options' | 'title' | 'folder'>): object {
  const read = podSchema.safeParse(pod);
  if (!read.success) {
    const { path = [], message } = read.error.issues[0] ?? {};
    throw new DeadheatError(
      'BAD_VALUE',
      `the template of the pods (--pod) has no valid ${path.join('.') || 'content'}: ${message}`,
    );
  }
  const { metadata, spec } = read.data;
  const [first, ...others] = spec.containers;
  const labels = { [jobLabel]: name };
  const selected = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };
  const preferred = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] };
  const affinity = {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [selected] },
    ...(node === null
      ? {}
      : {
          nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference: preferred }] },
        }),
    ...spec.affinity,
  };
  const where = { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } };
  const container = { ...first, command: ['/bin/sh', script], env: [...(first?.env ?? []), where] };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      completionMode: 'Indexed',
      completions: tasks,
      parallelism: tasks,
      backoffLimit: 3 * tasks,
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
      template: {
        metadata: { ...metadata, labels: { ...metadata?.labels, ...labels } },
        spec: { ...spec, restartPolicy: 'Never', affinity, containers: [container, ...others] },
      },
    },
  };
}

/** Kubernetes, through `kubectl`. A part is a pod of an Indexed Job; the image has `deadheat` and the volume of the folder. */
export const kubernetes: Scheduler = {
  title: 'Kubernetes',
  command: ['deadheat'],
  head: () => '#!/bin/sh\n',
  // A part that failed by itself is not to be started again by the job.
  shell: { task: '(JOB_COMPLETION_INDEX + 1)', node: '$NODE_NAME', status: '0' },
  async submit({ options, ...submission }) {
    const { name } = submission;
    const input = JSON.stringify(toJob(submission));
    await ask('kubectl', ['create', ...options, '--filename=-'], { input }).catch((error: unknown) => {
      // The server took it and its answer was lost; nobody else knows the name.
      if (!/AlreadyExists|already exists/.test(saidBy(error))) throw error;
    });
    return name;
  },
  async watch(jobs, signal) {
    const { items } = jobsSchema.parse(await get('jobs', jobs, signal));
    const pods = await podsOf(jobs, signal);
    return items.flatMap(({ metadata: { name }, spec, status }) => {
      if (
        status.conditions.some(
          ({ type, status: holds }) => (type === 'Complete' || type === 'Failed') && holds === 'True',
        )
      )
        return [];
      const done = new Set(status.completedIndexes.split(',').flatMap(rangeOf));
      const open = Array.from({ length: spec.completions }, (_, index) => index).filter((index) => !done.has(index));
      return open.map((index) => toTask(name, { index, pods }));
    });
  },
  async ends(jobs) {
    return (await podsOf(jobs).catch(() => [])).flatMap((pod): readonly TaskEnd[] => {
      if (pod.status.phase !== 'Failed') return [];
      const job = pod.metadata.labels[jobLabel] ?? '';
      return [{ job, task: indexOf(pod) + 1, ...explain(pod) }];
    });
  },
  async cancel(jobs) {
    await ask('kubectl', ['delete', 'jobs', ...optionsOf(jobs), `--selector=${selectorOf(jobs)}`, '--wait=false']);
  },
};

async function get(kind: 'jobs' | 'pods', jobs: readonly SubmittedJob[], signal?: AbortSignal): Promise<unknown> {
  const words = ['get', kind, ...optionsOf(jobs), `--selector=${selectorOf(jobs)}`, '--output=json'];
  return JSON.parse(await ask('kubectl', words, signal === undefined ? {} : { signal }));
}

/** The pods of jobs, the newest last. */
async function podsOf(jobs: readonly SubmittedJob[], signal?: AbortSignal): Promise<readonly Pod[]> {
  const { items } = podsSchema.parse(await get('pods', jobs, signal));
  const age = ({ metadata }: Pod): string => metadata.creationTimestamp;
  return items.toSorted((one, other) => (age(one) < age(other) ? -1 : Number(age(one) > age(other))));
}

function optionsOf(jobs: readonly SubmittedJob[]): readonly string[] {
  return jobs.at(-1)?.options ?? [];
}

function selectorOf(jobs: readonly SubmittedJob[]): string {
  return `${jobLabel} in (${jobs.map(({ id }) => id).join(',')})`;
}

function indexOf({ metadata }: Pod): number {
  return Number(metadata.annotations['batch.kubernetes.io/job-completion-index'] ?? Number.NaN);
}

/** Reads a number or a range of numbers, such as `3-5`. */
function rangeOf(text: string): readonly number[] {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  return first === undefined
    ? []
    : Array.from({ length: Number(last) - Number(first) + 1 }, (_, step) => Number(first) + step);
}

/** The state of an index, for which there may be several pods: those that a node lost, and the one in their place. */
function toTask(job: string, { index, pods }: { readonly index: number; readonly pods: readonly Pod[] }): Task {
  const own = pods.filter((pod) => pod.metadata.labels[jobLabel] === job && indexOf(pod) === index);
  const isRunning = own.some(({ status }) => status.phase === 'Running');
  const pending = own.findLast(({ status }) => status.phase === 'Pending');
  const reason =
    pending?.status.containerStatuses.find(({ state }) => state.waiting !== undefined)?.state.waiting?.reason ??
    pending?.status.conditions.find(({ status }) => status === 'False')?.reason;
  return { job, task: index + 1, isRunning, reason: isRunning ? null : (reason ?? 'no pod yet') };
}

function explain({ status, spec }: Pod): Pick<TaskEnd, 'reason' | 'isNodeLost'> {
  const node = spec.nodeName ?? 'its node';
  const disruption = status.conditions.find(
    ({ type, status: holds }) => type === 'DisruptionTarget' && holds === 'True',
  );
  if (disruption !== undefined)
    return { reason: `had to leave ${node} (${disruption.reason ?? 'DisruptionTarget'})`, isNodeLost: true };
  const { reason: said = status.reason, exitCode } =
    status.containerStatuses.find(({ state }) => state.terminated !== undefined)?.state.terminated ?? {};
  if (said === 'OOMKilled') {
    return {
      reason: `used more memory than it was given on ${node} (OOMKilled); give it more (resources in the template)`,
      isNodeLost: false,
    };
  }
  const code = exitCode === undefined ? '' : `, exit code ${exitCode}`;
  return {
    reason: said === undefined ? null : `was ended on ${node} (${said}${code})`,
    isNodeLost: said === 'NodeLost',
  };
}
