import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toJob } from './fleet-index.ts';

const submission = { name: 'deadheat-0123456789abcdef-1', script: '/shared/job-1.sh', tasks: 3, node: null };
const container = { name: 'runs', image: 'deadheat:0.1', volumeMounts: [{ name: 'shared', mountPath: '/shared' }] };
const pod = {
  metadata: { labels: { team: 'speed' } },
  spec: {
    containers: [{ ...container, env: [{ name: 'TZ', value: 'UTC' }] }],
    volumes: [{ name: 'shared', persistentVolumeClaim: { claimName: 'shared' } }],
    nodeSelector: { pool: 'quiet' },
  },
};

/** The messages of the types that are made from the published API, for a manifest as it stands. */
function complaintsAbout(job: object): readonly string[] {
  const folder = mkdtempSync(join(import.meta.dirname, 'manifest-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'manifest.ts');
  writeFileSync(
    path,
    `import type { Job } from 'kubernetes-types/batch/v1.d.ts';\nexport const job: Job = ${JSON.stringify(job)};\n`,
  );
  const options = { strict: true, noEmit: true, skipLibCheck: true, types: [], module: ts.ModuleKind.NodeNext };
  const program = ts.createProgram([path], { ...options, target: ts.ScriptTarget.ES2022 });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the manifest of an Indexed Job', () => {
  it.each([
    ['any nodes', null],
    ['the node that began its parts', 'n1'],
  ])('has the fields that the API has, for %s', (_what, node) => {
    expect(complaintsAbout(toJob({ ...submission, node, pod }))).toEqual([]);
  });

  it('is checked: a field that the API does not have is found, and one of another type', () => {
    const { spec, ...job } = toJob({ ...submission, pod });
    expect(complaintsAbout({ ...job, spec: { ...spec, completion: 3 } })).toEqual([
      expect.stringContaining("does not exist in type 'JobSpec'"),
    ]);
    expect(complaintsAbout({ ...job, spec: { ...spec, parallelism: '3' } })).toEqual([
      expect.stringContaining('not assignable'),
    ]);
  });

  it('hands on what the manifest of the pod says, and adds the script, the node and that pods are apart', () => {
    const { spec } = toJob({ ...submission, node: 'n1', pod });
    expect(spec).toMatchObject({ completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimit: 60 });
    const labels = { 'deadheat/job': submission.name };
    expect(spec?.template).toMatchObject({
      metadata: { labels: { team: 'speed', ...labels } },
      spec: {
        restartPolicy: 'Never',
        nodeSelector: { pool: 'quiet' },
        volumes: pod.spec.volumes,
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: labels } }],
          },
          nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100 }] },
        },
        containers: [
          {
            ...container,
            command: ['/bin/sh', '/shared/job-1.sh'],
            env: [
              { name: 'TZ', value: 'UTC' },
              { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
            ],
          },
        ],
      },
    });
  });

  it.each([
    [null, 'content'],
    [{ spec: {} }, 'spec.containers'],
    [{ spec: { containers: [{ name: 'runs' }] } }, 'spec.containers.0.image'],
    [{ metadata: { labels: { team: 1 } }, spec: { containers: [container] } }, 'metadata.labels.team'],
  ])('is refused where the manifest of the pod is %j', (wrong, field) => {
    expect(() => toJob({ ...submission, pod: wrong })).toThrow(`has no valid ${field}`);
  });
});
