import { DeadheatError } from '@deadheat/model';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';
import type { Container } from 'kubernetes-types/core/v1.d.ts';
import { z } from 'zod';
import type { Submission } from './scheduler.ts';

/** The fields that are read of the manifest of a pod; the others are handed on. */
const podSchema = z.looseObject({
  metadata: z.looseObject({ labels: z.record(z.string(), z.string()).optional() }).optional(),
  spec: z.looseObject({
    affinity: z.looseObject({}).optional(),
    containers: z.tuple(
      [
        z.looseObject({
          name: z.string(),
          image: z.string(),
          env: z.array(z.looseObject({ name: z.string() })).default([]),
        }),
      ],
      z.custom<Container>(),
    ),
  }),
});

/** Label of jobs and pods by which they are asked for. */
export const jobLabel = 'deadheat/job';

/**
 * An Indexed Job whose pods execute the script, no two of them on one node. It replaces pods that were evicted or that a node lost, also
 * while the node may still execute them: it has no failure policy, with which it would wait until that node is removed.
 * Source: the API reference of batch/v1 and the page "Jobs" of Kubernetes' documentation.
 *
 * @throws DeadheatError `BAD_VALUE` where the manifest names no container with an image
 */
export function toJob({ name, script, tasks, node, pod }: Omit<Submission, 'options' | 'title' | 'folder'>): Job {
  const read = podSchema.safeParse(pod);
  if (!read.success) {
    const { path = [], message = '' } = read.error.issues[0] ?? {};
    const subject = path.length === 0 ? 'content' : path.join('.');
    throw new DeadheatError('BAD_VALUE', `the manifest of the pod (--pod) has no valid ${subject}: ${message}`);
  }
  const { metadata, spec } = read.data;
  const [first, ...others] = spec.containers;
  const labels = { [jobLabel]: name };
  const topologyKey = 'kubernetes.io/hostname';
  const apart = { labelSelector: { matchLabels: labels }, topologyKey };
  const preference = { matchExpressions: [{ key: topologyKey, operator: 'In', values: [node ?? ''] }] };
  const nodeAffinity = { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] };
  const where = { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      completionMode: 'Indexed',
      completions: tasks,
      parallelism: tasks,
      // The script ends with 0 where a part fails, so that what counts here is disruptions.
      backoffLimit: 20 * tasks,
      template: {
        metadata: { ...metadata, labels: { ...metadata?.labels, ...labels } },
        spec: {
          ...spec,
          restartPolicy: 'Never',
          affinity: {
            podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] },
            ...(node === null ? {} : { nodeAffinity }),
            ...spec.affinity,
          },
          containers: [{ ...first, command: ['/bin/sh', script], env: [...first.env, where] }, ...others],
        },
      },
    },
  };
}
