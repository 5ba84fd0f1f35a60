import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from 'kubernetes-types/batch/v1.d.ts';

/** Why `kubectl` cannot be asked here; `null` when it can. */
export const noKubectl: string | null =
  spawnSync('kubectl', ['version', '--client']).status === 0 ? null : 'there is no kubectl';

interface Pod {
  readonly name: string;
  readonly job: string;
  readonly index: number;
  readonly created: string;
  node: string | null;
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  /** Why it had to leave its node. */
  disruption: string | null;
  isDeleted: boolean;
  process: ChildProcess | null;
}

interface KnownJob {
  readonly manifest: Job;
  failures: number;
  failed: boolean;
}

/**
 * The part of an API server of Kubernetes that `kubectl create`, `get` and `delete` of jobs and pods ask for, on loopback, with the
 * controller of Indexed Jobs, a scheduler that keeps anti-affinity, and nodes that execute the command of a pod on this machine.
 * It is a simulation: it shows what deadheat does with the states that Kubernetes documents, not what Kubernetes does.
 */
export class SimulatedKubernetes {
  readonly #folder = mkdtempSync(join(tmpdir(), 'deadheat-kubernetes-'));
  readonly #server: Server;
  readonly #path: string;
  readonly #jobs = new Map<string, KnownJob>();
  readonly #lost = new Set<string>();
  readonly #nodes: readonly string[];
  #pods: Pod[] = [];
  #counter = 0;
  /** Lists that are answered by 410 from now on. */
  #expired = 0;
  /** Creations that are made, and whose answer is lost. */
  #silent = 0;

  private constructor(nodes: number, deadheat: readonly string[]) {
    this.#nodes = Array.from({ length: nodes }, (_, index) => `n${index + 1}`);
    writeFileSync(join(this.#folder, 'deadheat'), `#!/bin/sh\nexec ${deadheat.join(' ')} "$@"\n`, { mode: 0o755 });
    this.#path = `${this.#folder}:${process.env['PATH'] ?? ''}`;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** @param deadheat the command in the image */
  static async start(nodes: number, deadheat: readonly string[]): Promise<SimulatedKubernetes> {
    const cluster = new SimulatedKubernetes(nodes, deadheat);
    await new Promise<void>((resolve) => cluster.#server.listen(0, '127.0.0.1', resolve));
    const server = `http://127.0.0.1:${(cluster.#server.address() as AddressInfo).port}`;
    writeFileSync(
      join(cluster.#folder, 'config'),
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        clusters: [{ name: 'simulated', cluster: { server } }],
        contexts: [{ name: 'simulated', context: { cluster: 'simulated', user: 'nobody', namespace: 'bench' } }],
        users: [{ name: 'nobody', user: {} }],
        'current-context': 'simulated',
      }),
    );
    return cluster;
  }

  /** For what calls `kubectl`. */
  get environment(): Readonly<Record<string, string>> {
    return { KUBECONFIG: join(this.#folder, 'config'), HOME: this.#folder };
  }

  get jobs(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  stop(): void {
    for (const pod of this.#pods) kill(pod);
    this.#server.closeAllConnections();
    this.#server.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The nodes that execute pods, in their order. */
  busy(): readonly string[] {
    return this.#nodes.filter(
      (node) => !this.#lost.has(node) && this.#pods.some((pod) => isOn(pod, node) && pod.disruption === null),
    );
  }

  /** The pod on a node is evicted. */
  evict(node: string): void {
    for (const pod of this.#pods.filter((one) => isOn(one, node))) {
      pod.disruption = 'EvictionByEvictionAPI';
      kill(pod);
    }
  }

  /** Nobody hears from a node any more, which goes on with its pods: others take their places. */
  cutOff(node: string): void {
    this.#lost.add(node);
    for (const pod of this.#pods.filter((one) => isOn(one, node))) {
      pod.disruption = 'DeletionByTaintManager';
      pod.isDeleted = true;
    }
    this.#schedule();
  }

  /** A node that was cut off is heard of again, and ends the pods that are not its own any more. */
  returns(node: string): void {
    this.#lost.delete(node);
    for (const pod of this.#pods.filter((one) => one.node === node && one.isDeleted)) {
      this.#fail(pod);
      kill(pod);
    }
    this.#pods = this.#pods.filter((pod) => pod.node !== node || !pod.isDeleted);
    this.#schedule();
  }

  /** Answers the next lists by 410 Gone. */
  expire(lists: number): void {
    this.#expired = lists;
  }

  /** Takes the next jobs, and closes the connection in place of an answer. */
  loseAnswers(creations: number): void {
    this.#silent = creations;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const piece of request) body += String(piece);
    const url = new URL(request.url ?? '/', 'http://simulated');
    const [, kind = '', name = ''] =
      /^\/(?:api|apis\/batch)\/v1\/namespaces\/bench\/(jobs|pods)(?:\/(.+))?$/.exec(url.pathname) ?? [];
    const send = (status: number, content: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    };
    const refuse = (code: number, reason: string, message: string): void =>
      send(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message });
    if (kind === '') {
      const known = discovery[url.pathname];
      if (known === undefined) refuse(404, 'NotFound', 'the server could not find the requested resource');
      else send(200, known);
      return;
    }
    const selected =
      /^deadheat\/job in \((.*)\)$/.exec(url.searchParams.get('labelSelector') ?? '')?.[1]?.split(',') ?? [];
    if (request.method === 'GET') {
      if (this.#expired > 0) {
        this.#expired -= 1;
        refuse(410, 'Expired', 'The provided continue parameter is too old to display a consistent list result.');
        return;
      }
      const items =
        kind === 'jobs'
          ? selected.flatMap((one) => this.#showJob(one))
          : this.#pods.filter(({ job }) => selected.includes(job)).map(showPod);
      send(200, {
        kind: kind === 'jobs' ? 'JobList' : 'PodList',
        apiVersion: kind === 'jobs' ? 'batch/v1' : 'v1',
        metadata: {},
        items,
      });
    } else if (request.method === 'POST') {
      const manifest = JSON.parse(body) as Job;
      const id = manifest.metadata?.name ?? '';
      const wrong = mistakeOf(manifest);
      if (this.#jobs.has(id)) refuse(409, 'AlreadyExists', `jobs.batch "${id}" already exists`);
      else if (wrong !== null) refuse(422, 'Invalid', `Job.batch "${id}" is invalid: ${wrong}`);
      else {
        this.#jobs.set(id, { manifest, failures: 0, failed: false });
        this.#schedule();
        if (this.#silent > 0) {
          this.#silent -= 1;
          response.destroy();
        } else send(201, manifest);
      }
    } else if (request.method === 'DELETE') {
      for (const one of name === '' ? selected : [name]) {
        for (const pod of this.#pods.filter(({ job }) => job === one)) kill(pod);
        this.#pods = this.#pods.filter(({ job }) => job !== one);
        this.#jobs.delete(one);
      }
      send(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' });
    }
  }

  /** Makes the pods that are missing, and gives them nodes. */
  #schedule(): void {
    for (const [job, known] of this.#jobs) {
      const { completions = 0 } = known.manifest.spec ?? {};
      for (let index = 0; index < completions && !known.failed; index++) {
        const own = this.#pods.filter((pod) => pod.job === job && pod.index === index && !pod.isDeleted);
        if (own.some(({ phase }) => phase !== 'Failed')) continue;
        const name = `${job}-${index}-${++this.#counter}`;
        const created = new Date(1.8e12 + this.#counter * 1000).toISOString();
        this.#pods.push({
          name,
          job,
          index,
          created,
          node: null,
          phase: 'Pending',
          disruption: null,
          isDeleted: false,
          process: null,
        });
      }
    }
    for (const pod of this.#pods.filter(({ phase, isDeleted }) => phase === 'Pending' && !isDeleted)) {
      const isFree = (node: string): boolean => !this.#lost.has(node) && !this.#pods.some((one) => isOn(one, node));
      const { preferredDuringSchedulingIgnoredDuringExecution: wishes = [] } =
        this.#jobs.get(pod.job)?.manifest.spec?.template.spec?.affinity?.nodeAffinity ?? {};
      const wished = wishes[0]?.preference.matchExpressions?.[0]?.values ?? [];
      const node = [...wished, ...this.#nodes].find((one) => this.#nodes.includes(one) && isFree(one));
      if (node !== undefined) this.#execute(pod, node);
    }
  }

  #execute(pod: Pod, node: string): void {
    const [file = '', ...args] = this.#jobs.get(pod.job)?.manifest.spec?.template.spec?.containers[0]?.command ?? [];
    pod.node = node;
    pod.phase = 'Running';
    const env = { ...process.env, PATH: this.#path, NODE_NAME: node, JOB_COMPLETION_INDEX: String(pod.index) };
    pod.process = spawn(file, args, { env, detached: true, stdio: 'ignore' });
    pod.process.once('exit', (code) => void this.#ends(pod, code));
  }

  /** A pod has ended when its last process has. */
  async #ends(pod: Pod, code: number | null): Promise<void> {
    while (isAlive(pod)) await pause(20);
    // Nobody hears of the end of a pod whose node is cut off.
    if (pod.isDeleted || pod.phase !== 'Running') return;
    if (code === 0) pod.phase = 'Succeeded';
    else this.#fail(pod);
    this.#schedule();
  }

  /** A pod without a policy counts as a failure of its job, however it failed. */
  #fail(pod: Pod): void {
    pod.phase = 'Failed';
    const job = this.#jobs.get(pod.job);
    if (job === undefined) return;
    job.failures += 1;
    job.failed ||= job.failures > (job.manifest.spec?.backoffLimit ?? 6);
  }

  #showJob(name: string): readonly object[] {
    const known = this.#jobs.get(name);
    if (known === undefined) return [];
    const { completions = 0 } = known.manifest.spec ?? {};
    const done = this.#pods
      .filter(({ job, phase, isDeleted }) => job === name && phase === 'Succeeded' && !isDeleted)
      .map(({ index }) => index);
    const completedIndexes = [...new Set(done)].toSorted((one, other) => one - other).join(',');
    const type = known.failed ? 'Failed' : new Set(done).size === completions ? 'Complete' : null;
    return [
      { ...known.manifest, status: { completedIndexes, conditions: type === null ? [] : [{ type, status: 'True' }] } },
    ];
  }
}

function isOn(pod: Pod, node: string): boolean {
  return pod.node === node && pod.phase === 'Running' && !pod.isDeleted;
}

function isAlive({ process: child }: Pod): boolean {
  try {
    return child?.pid !== undefined && process.kill(-child.pid, 0);
  } catch {
    return false;
  }
}

function kill({ process: child }: Pod): void {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function showPod({ name, job, index, created, node, phase, disruption, isDeleted }: Pod): object {
  const annotations = { 'batch.kubernetes.io/job-completion-index': String(index) };
  const deletion = isDeleted ? { deletionTimestamp: created } : {};
  const conditions = [
    ...(phase === 'Pending' ? [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] : []),
    ...(disruption === null ? [] : [{ type: 'DisruptionTarget', status: 'True', reason: disruption }]),
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { 'deadheat/job': job }, annotations, creationTimestamp: created, ...deletion },
    spec: node === null ? {} : { nodeName: node },
    status: { phase, conditions },
  };
}

/** What a server refuses of an Indexed Job, beyond the types of its fields; `null` = nothing. */
function mistakeOf({ metadata, spec }: Job): string | null {
  const name = metadata?.name ?? '';
  // The name of a pod's host is that of the job with an index behind it.
  if (!/^[a-z0-9](?:[a-z0-9-]{0,57}[a-z0-9])?$/.test(name)) return 'metadata.name: must be a label of DNS';
  const pod = spec?.template.spec;
  if (pod?.restartPolicy !== 'Never') return 'spec.template.spec.restartPolicy: Unsupported value';
  if (spec?.completionMode !== 'Indexed' || !((spec.completions ?? 0) > 0)) return 'spec.completions: Required value';
  const apart = pod.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.[0];
  const wanted = apart?.labelSelector?.matchLabels?.['deadheat/job'];
  if (wanted !== name || spec.template.metadata?.labels?.['deadheat/job'] !== name)
    return 'the pods are not kept apart';
  if (pod.containers.some(({ image }) => image === undefined))
    return 'spec.template.spec.containers[0].image: Required value';
  return null;
}

function resource(name: string, kind: string): object {
  return { name, kind, singularName: kind.toLowerCase(), namespaced: true, verbs: ['create', 'delete', 'get', 'list'] };
}

const version = { groupVersion: 'batch/v1', version: 'v1' };
const groupVersionKind = { group: 'batch', version: 'v1', kind: 'Job' };
/** What `kubectl` asks a server before anything else. */
const discovery: Readonly<Record<string, object>> = {
  '/version': { major: '1', minor: '32', gitVersion: 'v1.32.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [{ name: 'batch', versions: [version], preferredVersion: version }],
  },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [resource('pods', 'Pod')] },
  '/apis/batch/v1': { kind: 'APIResourceList', groupVersion: 'batch/v1', resources: [resource('jobs', 'Job')] },
  '/openapi/v3': { paths: { 'apis/batch/v1': { serverRelativeURL: '/openapi/v3/apis/batch/v1' } } },
  '/openapi/v3/apis/batch/v1': {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.32.0' },
    paths: {
      '/apis/batch/v1/namespaces/{namespace}/jobs/{name}': {
        patch: {
          'x-kubernetes-action': 'patch',
          'x-kubernetes-group-version-kind': groupVersionKind,
          parameters: [{ name: 'fieldValidation', in: 'query', schema: { type: 'string' } }],
          responses: {},
        },
      },
    },
  },
};
