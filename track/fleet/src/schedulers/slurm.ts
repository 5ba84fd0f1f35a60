import { join } from 'node:path';
import { ask, idsOf, saidBy, type Scheduler, type SubmittedJob, type TaskEnd } from './scheduler.ts';

/** The end of a task by Slurm's accounting. */
interface SlurmEnd {
  /** Such as `TIMEOUT`. */
  readonly state: string;
  /** The user who cancelled it; empty = nobody, or not known. */
  readonly by: string;
  readonly elapsed: string;
  readonly limit: string;
  readonly node: string;
}

/** Why tasks end that did not end by themselves. Source: Slurm's documentation of `sacct`, "job state codes". */
const reasons: Readonly<Record<string, (end: SlurmEnd) => string>> = {
  TIMEOUT: ({ elapsed, limit }) =>
    `was ended by its time limit (TIMEOUT: ${elapsed} of ${limit}); give it more time (sbatch --time)`,
  DEADLINE: () => 'was ended by the deadline of the job (DEADLINE)',
  OUT_OF_MEMORY: ({ node }) =>
    `used more memory than it was given on ${node} (OUT_OF_MEMORY); give it more (sbatch --mem)`,
  NODE_FAIL: ({ node }) => `lost its node ${node} (NODE_FAIL)`,
  BOOT_FAIL: ({ node }) => `was given a node that did not start, ${node} (BOOT_FAIL)`,
  PREEMPTED: ({ node }) => `had to leave ${node} to a job of higher priority (PREEMPTED)`,
  CANCELLED: ({ by }) => (by === '' ? 'was cancelled (CANCELLED)' : `was cancelled by user ${by} (CANCELLED)`),
};

/** States after which a part had better go to another node. */
const nodeStates: ReadonlySet<string> = new Set(['NODE_FAIL', 'BOOT_FAIL']);

/**
 * Checks whether a task that squeue lists has ended. A task of a lost node is in NODE_FAIL for a moment before it waits to be started again,
 * so that this is the end of none; Slurm lists one that it does not start again until it forgets it.
 */
function isEnd(state: string): boolean {
  return state !== 'NODE_FAIL' && (state in reasons || state === 'COMPLETED' || state === 'FAILED');
}

/** Slurm, through `sbatch`. A part is the task of an array job, and has its node for itself. Source: Slurm's documentation of job arrays. */
export const slurm: Scheduler = {
  title: 'Slurm',
  command: null,
  head: (title, tasks) => `#!/bin/bash
#SBATCH --job-name=${title}
#SBATCH --array=1-${tasks}
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
`,
  shell: { task: '$SLURM_ARRAY_TASK_ID', node: '${SLURMD_NODENAME:-$(hostname)}', status: '$status' },
  async submit({ folder, script, node, options }) {
    const where = [`--output=${join(folder, 'slurm-%A-%a.log')}`, `--chdir=${folder}`];
    const only = node === null ? [] : [`--nodelist=${node}`];
    const said = await ask('sbatch', ['--parsable', ...where, ...options, ...only, script]);
    // With several clusters: number;cluster.
    return said.trim().split(';')[0] ?? '';
  },
  noNode: /invalid node name/i,
  async watch(jobs, signal) {
    const words = ['--noheader', '--array', jobsOf(jobs), '--format=%F|%T|%K|%r'];
    const said = await ask('squeue', words, { signal }).catch((error: unknown) => {
      // Slurm forgets a job some time after its end.
      if (/invalid job id/i.test(saidBy(error))) return '';
      throw error;
    });
    return said.split('\n').flatMap((line) => {
      const [job = '', state = '', task = '', reason = ''] = line.trim().split('|');
      if (state === '' || isEnd(state)) return [];
      const isRunning = state !== 'PENDING';
      return [{ job, task: Number(task), isRunning, reason: isRunning || reason === 'None' ? null : reason }];
    });
  },
  async ends(jobs) {
    const asked = '--format=JobID,State,Elapsed,Timelimit,NodeList';
    const accounted = await endsOf('sacct', ['--noheader', '--parsable2', '--allocations', jobsOf(jobs), asked]);
    if (accounted.length > 0) return accounted;
    // Without accounting the controller remembers for some minutes.
    return endsOf('squeue', ['--noheader', '--array', '--states=all', jobsOf(jobs), '--format=%i|%T|%M|%l|%N']);
  },
  async cancel(jobs) {
    await ask('scancel', idsOf(jobs));
  },
};

function jobsOf(jobs: readonly SubmittedJob[]): string {
  return `--jobs=${idsOf(jobs).join(',')}`;
}

/** Reads lines of number_task|state|elapsed|limit|node. */
async function endsOf(program: string, words: readonly string[]): Promise<readonly TaskEnd[]> {
  const said = await ask(program, words).catch(() => '');
  return said.split('\n').flatMap((line) => {
    const [id = '', states = '', elapsed = '', limit = '', node = ''] = line.trim().split('|');
    const [, job = '', task = ''] = /^(\d+)_(\d+)$/.exec(id) ?? [];
    if (task === '') return [];
    const [state = '', by = ''] = states.split(/ by | /);
    const reason = reasons[state]?.({ state, by, elapsed, limit, node }) ?? null;
    return [{ job, task: Number(task), reason, isNodeLost: nodeStates.has(state) }];
  });
}
