import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { recordingFiles } from '@deadheat/model';
import { arrayScript, type PartsJob } from './array-script.ts';
import { SlurmError } from './slurm-error.ts';

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

/** A part that did not end well. */
export interface FailedPart {
  readonly part: number;
  /** `null` = its task did not come to its end. */
  readonly exitCode: number | null;
  /** End of what it wrote. */
  readonly log: string;
}

/** What a failed call of a program left. */
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
   * Writes the script into the folder, which is made, and gives it to Slurm.
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
      // A job that ended a while ago is forgotten.
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

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
const linesOf = (path: string): number => textOf(path).split('\n').length - 1;

const submitFailure = (error: Failure): SlurmError => {
  if (error.code === 'ENOENT') {
    return new SlurmError(
      'SLURM_MISSING',
      'There is no sbatch here. Start this on a machine that submits jobs to Slurm, or make the parts yourself: deadheat run --part.',
      { cause: error },
    );
  }
  const said = (error.stderr ?? '').trim() || error.message;
  return new SlurmError('SLURM_REFUSED', `Slurm did not take the job: ${said}`, { cause: error });
};
