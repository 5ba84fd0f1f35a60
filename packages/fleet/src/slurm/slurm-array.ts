import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DeadheatError, recordingFiles } from '@deadheat/model';

/**
 * Why an array of jobs could not be had.
 *
 * - `SLURM_MISSING`: there is no `sbatch` here.
 * - `SLURM_REFUSED`: Slurm did not take the job; the message holds what it said.
 * - `SLURM_LOST`: Slurm did not answer any more; the jobs may go on.
 */
export type SlurmErrorCode = 'SLURM_MISSING' | 'SLURM_REFUSED' | 'SLURM_LOST';

/** An array of jobs could not be had; the message says why and what to do. */
export class SlurmError extends DeadheatError<SlurmErrorCode> {
  override readonly name = 'SlurmError';
}

/** The parts of an experiment, as tasks of one job. */
export interface PartsJob {
  /** Shown in the queue. */
  readonly name: string;
  /** Shared by all nodes; holds the script, and of part K the recording `K`, the output `K.log` and the exit code `K.exit`. */
  readonly folder: string;
  /** Shared by all nodes; where the parts are started. */
  readonly workingDirectory: string;
  readonly parts: number;
  /**
   * The program and its arguments, without those that differ: `--part K/N`, `--host-name` and `--output` are added. With
   * `--resume FOLDER` in place of them it goes on with a part.
   */
  readonly program: readonly [string, ...string[]];
  /** What is added to `program` for a part, and stays away when one goes on. */
  readonly begin: readonly string[];
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
 * on another it begins anew, so that the runs of a part are of one machine, and what there was is put aside.
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
if [ -e "$part" ] && [ "$(cat "$part.node")" != "$node" ]; then
  echo "begun on $(cat "$part.node"), begins anew on $node"
  mv "$part" "$part.lost-\${SLURM_RESTART_COUNT:-0}"
fi
echo "$node" > "$part.node"
if [ -e "$part/experiment.json" ]; then
  ${words(program)} --resume "$part"
else
  ${words([...program, ...begin])} --part "$SLURM_ARRAY_TASK_ID/${parts}" --host-name "$node" --output "$part"
fi
status=$?
echo "$status" > "$part.exit"
exit "$status"
`;
}

const execute = promisify(execFile);

const pollMs = 2000;
/** Unanswered questions in a row, some two minutes of them, after which nobody asks any more. */
const mostUnanswered = 60;
const logCharacters = 4000;
/** Looks at an empty queue before a part without an end is given up: a task that is queued again is out of it for a moment. */
const emptyLooks = 4;

/** How an array job stands. */
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
}

/** The error of a failed call of a program. */
interface Failure {
  readonly code?: unknown;
  readonly stderr?: string;
  readonly message: string;
}

/** The parts of an experiment as an array job of Slurm. */
export class SlurmArray {
  /** Slurm's number of the job. */
  readonly id: string;
  readonly #job: PartsJob;

  private constructor(id: string, job: PartsJob) {
    this.id = id;
    this.#job = job;
  }

  /**
   * Writes the script into a new folder and submits it to Slurm.
   *
   * @param options further options of `sbatch`, such as `--partition=fast`.
   * @throws SlurmError `SLURM_MISSING` or `SLURM_REFUSED`
   */
  static async submit(job: PartsJob, options: readonly string[] = []): Promise<SlurmArray> {
    mkdirSync(job.folder, { recursive: true });
    const script = join(job.folder, 'job.sh');
    writeFileSync(script, arrayScript(job), { mode: 0o755 });
    const output = `--output=${join(job.folder, 'slurm-%a.log')}`;
    try {
      const { stdout } = await execute('sbatch', ['--parsable', output, `--chdir=${job.folder}`, ...options, script]);
      // With several clusters: number;cluster.
      return new SlurmArray(stdout.trim().split(';')[0] ?? '', job);
    } catch (error) {
      throw submitFailure(error as Failure);
    }
  }

  /**
   * Waits until no task is left, asking every two seconds.
   *
   * @returns the parts that failed.
   * @throws SlurmError `SLURM_LOST`; what `signal` was aborted with
   */
  async wait({
    signal,
    onProgress,
  }: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: ArrayProgress) => void;
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
          return failed;
      }
      await pause(pollMs, undefined, { signal });
    }
  }

  /** Ends all tasks. */
  async cancel(): Promise<void> {
    await execute('scancel', [this.id]).catch(() => undefined);
  }

  /** State and reason of every task that has not ended; `null` = Slurm did not answer. */
  async #tasks(signal: AbortSignal): Promise<readonly (readonly string[])[] | null> {
    try {
      const { stdout } = await execute('squeue', ['--noheader', '--array', `--jobs=${this.id}`, '--format=%T %r'], {
        signal,
      });
      const lines = stdout.split('\n').map((line) => line.trim().split(' '));
      return lines.filter(([state = '']) => state !== '' && !endStates.has(state));
    } catch (error) {
      signal.throwIfAborted();
      // Slurm forgets a job some time after its end.
      return /invalid job id/i.test((error as Failure).stderr ?? '') ? [] : null;
    }
  }

  #progress(tasks: readonly (readonly string[])[]): ArrayProgress {
    const waits = tasks.filter(([state]) => state === 'PENDING');
    return {
      waiting: waits.length,
      reason: waits[0]?.[1] ?? null,
      running: tasks.length - waits.length,
      ended: this.#job.parts - tasks.length,
      runs: this.#parts().reduce((sum, part) => sum + linesOf(join(this.#path(part), recordingFiles.trials)), 0),
    };
  }

  #failed(): readonly FailedPart[] {
    return this.#parts()
      .map((part): FailedPart => {
        const path = this.#path(part);
        const text = textOf(`${path}.exit`).trim();
        return { part, exitCode: text === '' ? null : Number(text), log: textOf(`${path}.log`).slice(-logCharacters) };
      })
      .filter(({ exitCode, part }) => exitCode !== 0 || !existsSync(join(this.#path(part), recordingFiles.report)));
  }

  #parts(): readonly number[] {
    return Array.from({ length: this.#job.parts }, (_, index) => index + 1);
  }

  #path(part: number): string {
    return join(this.#job.folder, String(part));
  }

  #lost(): SlurmError {
    return new SlurmError(
      'SLURM_LOST',
      `Slurm does not answer any more; job ${this.id} may go on. Look with squeue --jobs=${this.id}, and when it has ended ` +
        `judge its parts with: deadheat merge ${this.#job.folder}`,
    );
  }
}

/** States of a task that squeue may still list. */
const endStates: ReadonlySet<string> = new Set([
  'BOOT_FAIL',
  'CANCELLED',
  'COMPLETED',
  'DEADLINE',
  'FAILED',
  'NODE_FAIL',
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
