import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkParts } from '@deadheat/engine';
import {
  checkExports,
  commandPath,
  exitCodes,
  mergeParts,
  type Terminal,
  UsageError,
  withInterruption,
} from '@deadheat/cli/kit';
import { countOf } from '@deadheat/report';
import { type Changes, readConfig } from 'deadheat/internals';
import { parse } from 'yaml';
import { type ArrayProgress, commandOn, type FailedPart, PartArray, type PartsJob } from './part-array.ts';

type OutputChoices = Parameters<typeof mergeParts>[0]['choices'];

/** The request of `deadheat run`. */
type Run = OutputChoices & { readonly changes: Changes; readonly file: string | null; readonly output: string | null };

/** The access to a cluster. */
interface ClusterRequest {
  readonly scheduler: PartsJob['scheduler'];
  /** Number of nodes, each of which executes a part. */
  readonly hosts: number;
  /** Options of the scheduler's program. */
  readonly options: readonly string[];
  /** Path of the template of pods; `null` = none. */
  readonly pod: string | null;
}

/** `deadheat run --on slurm`, `gridengine` or `kubernetes`: parts of an experiment as a job, brought together at its end. Returns the exit code. */
export async function runOnCluster(
  { invocation, cluster }: { readonly invocation: Run; readonly cluster: ClusterRequest },
  terminal: Terminal,
): Promise<number> {
  const { scheduler, hosts, options, pod } = cluster;
  checkExports(invocation.exports);
  const id = randomBytes(8).toString('hex');
  const searchPath = terminal.env['PATH'] ?? '';
  // A mistake in the file is reported here, not by every node.
  const { file, changes } = invocation;
  const draft = await readConfig(file, { cwd: process.cwd(), searchPath, defaultSeed: id, changes });
  checkParts(draft, hosts);
  const folder = resolve(invocation.output === null ? '.deadheat' : dirname(invocation.output), `${scheduler}-${id}`);
  const job: PartsJob = {
    scheduler,
    name: `deadheat-${draft.name}`.replaceAll(/[^\w.-]+/g, '-'),
    workingDirectory: process.cwd(),
    parts: hosts,
    program: [...(commandOn(scheduler) ?? [process.execPath, commandPath]), 'run', '--no-summary'],
    begin: [...wordsOf(invocation), '--experiment-id', id],
    output: invocation.output,
    options: [...options],
    pod: pod === null ? null : readPod(pod),
  };
  return follow(async () => PartArray.submit(folder, job), { choices: invocation, terminal });
}

/** `deadheat run --resume` with the folder of parts: those that are missing are submitted again. Returns the exit code. */
export async function resumeOnCluster(
  request: { readonly folder: string; readonly options: readonly string[]; readonly choices: OutputChoices },
  terminal: Terminal,
): Promise<number> {
  const { options, choices } = request;
  const folder = resolve(request.folder);
  checkExports(choices.exports);
  return follow(
    async () => {
      const array = await PartArray.resubmit(folder, options);
      if (array !== null) return array;
      throw new UsageError('BAD_VALUE', `${folder} does not say how its parts were submitted`, {
        hint: `Judge what is there with: deadheat ci merge ${folder}`,
      });
    },
    { choices, terminal },
  );
}

function readPod(path: string): unknown {
  try {
    return parse(readFileSync(path, 'utf8')) as unknown;
  } catch (error) {
    throw new UsageError('BAD_VALUE', `the manifest of the pod cannot be read: ${path}: ${(error as Error).message}`, {
      hint: 'Name a file with the manifest of a pod, in YAML or JSON: docs/schedulers.md has an example.',
    });
  }
}

/** Waits for the parts of a job, and brings them together. */
async function follow(
  submit: () => Promise<PartArray>,
  { choices, terminal }: { readonly choices: OutputChoices; readonly terminal: Terminal },
): Promise<number> {
  const { array, failed } = await withInterruption(async (signal) => {
    const array = await submit();
    const { ids, parts, folder, title } = array;
    terminal.stderr.write(`deadheat: ${title} job ${ids.at(-1)}, ${countOf(parts, 'part')}, in ${folder}\n`);
    try {
      return { array, failed: await array.wait({ signal, onProgress: progressWriter(terminal) }) };
    } catch (error) {
      if (!signal.aborted) throw error;
      await array.cancel();
      return { array, failed: null };
    }
  });
  const { folder, output } = array;
  const advice =
    `deadheat: make the parts that are missing with: deadheat run --resume ${folder}\n` +
    `deadheat: judge what is there with: deadheat ci merge ${folder}\n`;
  if (failed === null) {
    terminal.stderr.write(`deadheat: interrupted; the job was cancelled\n${advice}`);
    return exitCodes.interrupted;
  }
  if (failed.length > 0) {
    for (const part of failed) terminal.stderr.write(describe(part, array));
    terminal.stderr.write(advice);
    return exitCodes.workload;
  }
  const exitCode = await mergeParts({ recordings: [folder], output, choices }, terminal);
  await array.cancel();
  await rm(folder, { recursive: true, force: true });
  return exitCode;
}

/** The command line of a part. */
function wordsOf({ file, changes: { filter, typed } }: Run): readonly string[] {
  const { seed, methods, control, correction, 'max-time': limit } = typed;
  return [
    ...(file === null ? [] : [file]),
    ...filter.flatMap((pattern) => ['--filter', pattern]),
    ...(methods === undefined ? [] : ['--method', (methods as string[]).join()]),
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...(limit === undefined ? [] : ['--max-time', limit === 'none' ? limit : `${limit}ns`]),
    ...(control === true ? ['--control'] : []),
    ...(correction === undefined ? [] : ['--correction', correction]),
  ];
}

function describe({ part, exitCode, log, reason }: FailedPart, { parts, folder }: PartArray): string {
  const end = reason ?? (exitCode === null ? 'did not come to its end' : `ended with ${exitCode}`);
  const lines = log.trimEnd().split('\n').slice(-5);
  const said = log.trim() === '' ? '' : `\n${lines.map((line) => `  ${line}`).join('\n')}`;
  return `deadheat: part ${part}/${parts} ${end} (${join(folder, `${part}.log`)})${said}\n`;
}

/** Writes the state of the job whenever it has changed. */
function progressWriter({ stderr }: Terminal): (progress: ArrayProgress) => void {
  let last = '';
  return ({ waiting, reason, running, ended, runs }) => {
    const waits = waiting === 0 ? '' : `, ${waiting} waiting (${reason ?? 'no reason given'})`;
    const line = `deadheat: ${countOf(runs, 'run')}; ${countOf(ended, 'part')} done, ${running} running${waits}\n`;
    if (line !== last) stderr.write(line);
    last = line;
  };
}
