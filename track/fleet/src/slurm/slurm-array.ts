import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DeadheatError, recordingFiles } from '@deadheat/model';
import { z } from 'zod';

/**
 * An array of jobs could not be had; the message says why and what to do.
 *
 * - `SLURM_MISSING`: there is no `sbatch` here.
 * - `SLURM_REFUSED`: Slurm did not take the job; the message holds what it said.
 * - `SLURM_LOST`: Slurm did not answer any more; the jobs may go on.
 */
export class SlurmError extends DeadheatError {
  override readonly name = 'SlurmError';
}

/** The parts of an experiment, as tasks of one job. */
export interface PartsJob {
  /** Shown in the queue. */
  readonly name: string;
  /** Shared by all nodes; holds the script, and of part K the recording `K-NODE`, the output `K.log` and the exit code `K.exit`. */
  readonly folder: string;
  /** Shared by all nodes; where the parts are started. */
  readonly workingDirectory: string;
  readonly parts: number;
  /**
   * The program and its arguments, without those that differ: `--part K/N`, `--host-name` and `--output` are added. With
   * `--resume FOLDER` in place of them it goes on with a part.
   */
  readonly program: readonly [string, ...string[]];
  /** Arguments that are added to `program` for a part, but not when a part is resumed. */
  readonly begin: readonly string[];
  /** Folder for the recording of all parts; `null` = a new one. */
  readonly output: string | null;
}

/** The data of a job that are kept beside its script, so that its missing parts can be submitted again. */
const keptJobSchema = z.object({
  schema: z.literal('deadheat.slurm/1'),
  parts: z.int().positive(),
  output: z.string().nullable(),
  /** Options of `sbatch`. */
  options: z.array(z.string()),
  /** Slurm's numbers of the jobs that make the parts, the newest last. */
  ids: z.array(z.string()),
});
type KeptJob = z.infer<typeof keptJobSchema>;

const jobFile = 'job.json';

/** Checks whether a folder holds the parts of a job, and not a recording. */
export function isSlurmFolder(folder: string): boolean {
  return existsSync(join(folder, jobFile)) && existsSync(join(folder, 'job.sh'));
}

/** A word that a shell reads as it is. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function words(list: readonly string[]): string {
  return list.map(quoted).join(' ');
}

/**
 * The script of an array job. Every task has its node for itself. One that Slurm starts again on the same node goes on with its part;
 * on another it begins anew, so that the runs of a part are of one machine, and what there was is put aside below `lost`, where no merge looks.
 * A node that was taken for lost and goes on finds its recording no more, and its end does not count.
 *
 * Source: Slurm's documentation of job arrays and `sbatch`.
 */
function arrayScript({ name, folder, workingDirectory, parts, program, begin }: PartsJob): string {
  return `#!/bin/bash
#SBATCH --job-name=${name.replaceAll(/[^\w.-]+/g, '-')}
#SBATCH --array=1-${parts}
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
set -u
cd ${quoted(workingDirectory)} || exit 1
part=${quoted(folder)}/$SLURM_ARRAY_TASK_ID
node=\${SLURMD_NODENAME:-$(hostname)}
exec >> "$part.log" 2>&1
rm -f "$part.exit"
recording="$part-$node"
for begun in "$part"-*; do
  if [ ! -d "$begun" ] || [ "$begun" = "$recording" ]; then continue; fi
  echo "begun on \${begun#"$part-"}, begins anew on $node"
  mkdir -p ${quoted(folder)}/lost
  lost=${quoted(folder)}/lost/$(basename "$begun")
  while [ -e "$lost" ]; do lost=$lost+; done
  mv "$begun" "$lost"
done
echo "$node" > "$part.node"
if [ -e "$recording/experiment.json" ]; then
  ${words(program)} --resume "$recording"
else
  ${words([...program, ...begin])} --part "$SLURM_ARRAY_TASK_ID/${parts}" --host-name "$node" --output "$recording"
fi
status=$?
if [ "$(cat "$part.node")" = "$node" ]; then echo "$status" > "$part.exit"; fi
exit "$status"
`;
}

const execute = promisify(execFile);

/** Unanswered questions in a row, some two minutes of them, after which nobody asks any more. */
const mostUnanswered = 60;
const logCharacters = 4000;
/** Looks at an empty queue before a part without an end is given up: a task that is queued again is out of it for a moment. */
const emptyLooks = 4;

/** The state of an array job. */
export interface ArrayProgress {
  readonly waiting: number;
  /** Why they wait, as Slurm calls it; `null` = none waits. */
  readonly reason: string | null;
  readonly running: number;
  /** Parts that have ended. */
  readonly ended: number;
  /** Runs that all parts have made so far. */
  readonly runs: number;
}

/** A part that failed. */
export interface FailedPart {
  readonly part: number;
  /** `null` = the task did not end by itself. */
  readonly exitCode: number | null;
  /** End of its output. */
  readonly log: string;
  /** Why Slurm ended it, and what to do, a sentence; `null` = it ended by itself, or Slurm does not say. */
  readonly reason: string | null;
}

/** The end of a task by Slurm's accounting. */
interface TaskEnd {
  readonly part: number;
  /** Such as `TIMEOUT`. */
  readonly state: string;
  /** The user who cancelled it; empty = nobody, or not known. */
  readonly by: string;
  readonly elapsed: string;
  readonly limit: string;
  readonly node: string;
}

/** Why tasks end that did not end by themselves. Source: Slurm's documentation of `sacct`, "job state codes". */
const reasons: Readonly<Record<string, (end: TaskEnd) => string>> = {
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

/** The error of a failed call of a program. */
interface Failure {
  readonly code?: unknown;
  readonly stderr?: string;
  readonly message: string;
}

/** The parts of an experiment as an array job of Slurm. */
export class SlurmArray {
  readonly folder: string;
  #kept: KeptJob;

  private constructor(folder: string, kept: KeptJob) {
    this.folder = folder;
    this.#kept = kept;
  }

  /** Slurm's numbers of its jobs. */
  get ids(): readonly string[] {
    return this.#kept.ids;
  }

  get parts(): number {
    return this.#kept.parts;
  }

  /** Folder for the recording of all parts; `null` = a new one. */
  get output(): string | null {
    return this.#kept.output;
  }

  /**
   * Writes the script into a new folder and submits it to Slurm.
   *
   * @param options further options of `sbatch`, such as `--partition=fast`.
   * @throws SlurmError `SLURM_MISSING` or `SLURM_REFUSED`
   */
  static async submit(job: PartsJob, options: readonly string[] = []): Promise<SlurmArray> {
    const { folder, parts, output } = job;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'job.sh'), arrayScript(job), { mode: 0o755 });
    const array = new SlurmArray(folder, { schema: 'deadheat.slurm/1', parts, output, options: [...options], ids: [] });
    await array.#submit([]);
    return array;
  }

  /**
   * Submits the parts of a job again that are missing and that no task makes, each for the node that began it, where it goes on.
   *
   * @param options further options of `sbatch`, after those of the beginning
   * @throws SlurmError `SLURM_MISSING` or `SLURM_REFUSED`, `SLURM_LOST` when Slurm does not answer
   */
  static async resubmit(folder: string, options: readonly string[] = []): Promise<SlurmArray> {
    const kept = keptJobSchema.parse(JSON.parse(readFileSync(join(folder, jobFile), 'utf8')));
    const array = new SlurmArray(folder, { ...kept, options: [...kept.options, ...options] });
    const missing = array.#failed();
    if (missing.length === 0) return array;
    const tasks = await array.#tasks(new AbortController().signal);
    if (tasks === null) throw array.#lost();
    const made = new Set(tasks.map(({ part }) => part));
    const ends = await array.#ends();
    const byNode = new Map<string, number[]>();
    for (const { part } of missing) {
      if (made.has(part)) continue;
      const path = array.#path(part);
      rmSync(`${path}.exit`, { force: true });
      const isBegun = existsSync(join(array.#recording(part), recordingFiles.experiment));
      const isLost = ends.some((end) => end.part === part && nodeStates.has(end.state));
      const node = isBegun && !isLost ? textOf(`${path}.node`).trim() : '';
      byNode.set(node, [...(byNode.get(node) ?? []), part]);
    }
    for (const [node, parts] of byNode) {
      const again = [`--array=${parts.join(',')}`];
      const isTaken = node !== '' && (await array.#submitTo(node, again));
      if (!isTaken) await array.#submit(again);
    }
    return array;
  }

  /** Submits for a node; `false` = there is none of that name any more. */
  async #submitTo(node: string, more: readonly string[]): Promise<boolean> {
    try {
      await this.#submit([...more, `--nodelist=${node}`]);
      return true;
    } catch (error) {
      if (error instanceof SlurmError && /invalid node name/i.test(error.message)) return false;
      throw error;
    }
  }

  /** Hands the script to Slurm, and keeps the number that it gives. */
  async #submit(more: readonly string[]): Promise<void> {
    const { folder } = this;
    const output = `--output=${join(folder, 'slurm-%a.log')}`;
    const { options, ids } = this.#kept;
    try {
      const { stdout } = await execute('sbatch', [
        '--parsable',
        output,
        `--chdir=${folder}`,
        ...options,
        ...more,
        join(folder, 'job.sh'),
      ]);
      // With several clusters: number;cluster.
      this.#kept = { ...this.#kept, ids: [...ids, stdout.trim().split(';')[0] ?? ''] };
    } catch (error) {
      throw submitFailure(error as Failure);
    }
    writeFileSync(join(folder, jobFile), `${JSON.stringify(this.#kept, null, 2)}\n`);
  }

  /**
   * Waits until no task is left.
   *
   * @param pollMs pause between two questions, ms
   * @returns the parts that failed.
   * @throws SlurmError `SLURM_LOST`; what `signal` was aborted with
   */
  async wait({
    signal,
    onProgress,
    pollMs = 2000,
  }: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: ArrayProgress) => void;
    readonly pollMs?: number;
  }): Promise<readonly FailedPart[]> {
    let unanswered = 0;
    let empty = 0;
    for (;;) {
      const tasks = await this.#tasks(signal);
      if (tasks === null) {
        unanswered += 1;
        if (unanswered === mostUnanswered) throw this.#lost();
      } else {
        unanswered = 0;
        onProgress(this.#progress(tasks));
        empty = tasks.length === 0 ? empty + 1 : 0;
        const failed = empty === 0 ? null : this.#failed();
        if (failed !== null && (empty === emptyLooks || failed.every(({ exitCode }) => exitCode !== null)))
          return this.#explain(failed);
      }
      await pause(pollMs, undefined, { signal });
    }
  }

  /** Ends all tasks. */
  async cancel(): Promise<void> {
    await execute('scancel', [...this.ids]).catch(() => undefined);
  }

  /** Every task that has not ended; `null` = Slurm did not answer. */
  async #tasks(signal: AbortSignal): Promise<readonly Task[] | null> {
    try {
      const { stdout } = await execute(
        'squeue',
        ['--noheader', '--array', `--jobs=${this.ids.join(',')}`, '--format=%T|%K|%r'],
        { signal },
      );
      const tasks = stdout.split('\n').map((line) => {
        const [state = '', part = '', reason = ''] = line.trim().split('|');
        return { state, part: Number(part), reason };
      });
      return tasks.filter(({ state }) => state !== '' && !endStates.has(state));
    } catch (error) {
      signal.throwIfAborted();
      // Slurm forgets a job some time after its end.
      return /invalid job id/i.test((error as Failure).stderr ?? '') ? [] : null;
    }
  }

  /** The ends of the tasks that have ended, of a part that was executed several times the last one. Empty where Slurm has no accounting. */
  async #ends(): Promise<readonly TaskEnd[]> {
    const jobs = `--jobs=${this.ids.join(',')}`;
    const accounted = await execute('sacct', [
      '--noheader',
      '--parsable2',
      '--allocations',
      jobs,
      '--format=JobID,State,Elapsed,Timelimit,NodeList',
    ])
      .then(({ stdout }) => toEnds(stdout))
      .catch(() => []);
    if (accounted.length > 0) return accounted;
    // Without accounting the controller remembers for some minutes.
    return execute('squeue', ['--noheader', '--array', '--states=all', jobs, '--format=%i|%T|%M|%l|%N'])
      .then(({ stdout }) => toEnds(stdout))
      .catch(() => []);
  }

  /** Adds to parts that failed why Slurm ended them. */
  async #explain(failed: readonly FailedPart[]): Promise<readonly FailedPart[]> {
    if (failed.length === 0) return failed;
    const ends = new Map((await this.#ends()).map((end) => [end.part, end]));
    return failed.map((one) => {
      const end = ends.get(one.part);
      return { ...one, reason: end === undefined ? null : (reasons[end.state]?.(end) ?? null) };
    });
  }

  #progress(tasks: readonly Task[]): ArrayProgress {
    const waits = tasks.filter(({ state }) => state === 'PENDING');
    return {
      waiting: waits.length,
      reason: waits[0]?.reason ?? null,
      running: tasks.length - waits.length,
      ended: this.parts - tasks.length,
      runs: this.#parts().reduce((sum, part) => sum + linesOf(join(this.#recording(part), recordingFiles.trials)), 0),
    };
  }

  #failed(): readonly FailedPart[] {
    return this.#parts()
      .map((part): FailedPart => {
        const path = this.#path(part);
        const text = textOf(`${path}.exit`).trim();
        const log = textOf(`${path}.log`).slice(-logCharacters);
        return { part, exitCode: text === '' ? null : Number(text), log, reason: null };
      })
      .filter(
        ({ exitCode, part }) => exitCode !== 0 || !existsSync(join(this.#recording(part), recordingFiles.report)),
      );
  }

  #parts(): readonly number[] {
    return Array.from({ length: this.parts }, (_, index) => index + 1);
  }

  #path(part: number): string {
    return join(this.folder, String(part));
  }

  /** The recording of a part on the node that has it now. */
  #recording(part: number): string {
    return `${this.#path(part)}-${textOf(`${this.#path(part)}.node`).trim()}`;
  }

  #lost(): SlurmError {
    return new SlurmError(
      'SLURM_LOST',
      `Slurm does not answer any more; job ${this.ids.join(', ')} may go on. Look with squeue --jobs=${this.ids.join(',')}, and when it ` +
        `has ended judge its parts with: deadheat ci merge ${this.folder}`,
    );
  }
}

/** A task that has not ended. */
interface Task {
  readonly part: number;
  readonly state: string;
  /** Why it waits. */
  readonly reason: string;
}

/** Reads lines of number_part|state|elapsed|limit|node. */
function toEnds(text: string): readonly TaskEnd[] {
  return text.split('\n').flatMap((line) => {
    const [id = '', said = '', elapsed = '', limit = '', node = ''] = line.trim().split('|');
    const part = /^\d+_(\d+)$/.exec(id)?.[1];
    if (part === undefined) return [];
    const [state = '', by = ''] = said.split(/ by | /);
    return [{ part: Number(part), state, by, elapsed, limit, node }];
  });
}

/**
 * States of a task that has ended and that squeue may still list. A task of a lost node is in NODE_FAIL for a moment before it waits to be
 * started again, so that this is the end of none; Slurm lists one that it does not start again until it forgets it.
 */
const endStates: ReadonlySet<string> = new Set([
  'BOOT_FAIL',
  'CANCELLED',
  'COMPLETED',
  'DEADLINE',
  'FAILED',
  'OUT_OF_MEMORY',
  'PREEMPTED',
  'TIMEOUT',
]);

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function linesOf(path: string): number {
  return textOf(path).split('\n').length - 1;
}

function submitFailure(error: Failure): SlurmError {
  if (error.code === 'ENOENT') {
    return new SlurmError(
      'SLURM_MISSING',
      'There is no sbatch here. Start this on a machine that submits jobs to Slurm, or make the parts yourself: deadheat run --part.',
      { cause: error },
    );
  }
  const said = (error.stderr ?? '').trim() || error.message;
  return new SlurmError('SLURM_REFUSED', `Slurm did not take the job: ${said}`, { cause: error });
}
