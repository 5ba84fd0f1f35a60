import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { quoteWord, recordingFiles } from '@deadheat/model';
import { makeFolder } from '@deadheat/recording';
import { z } from 'zod';
import { gridEngine } from './grid-engine.ts';
import { kubernetes } from './kubernetes.ts';
import { type Failure, saidBy, type Scheduler, SchedulerError, type Task } from './scheduler.ts';
import { slurm } from './slurm.ts';

/** Schedulers by their places, as `--on` names them. */
const schedulers = { slurm, gridengine: gridEngine, kubernetes } as const satisfies Readonly<Record<string, Scheduler>>;

/** The parts of an experiment, as tasks of jobs, kept in their folder so that missing parts can be submitted again. */
const partsJobSchema = z.object({
  scheduler: z.enum(['slurm', 'gridengine', 'kubernetes']),
  /** Shown in the queue. */
  name: z.string(),
  /** Shared by all nodes; where the parts are started. */
  workingDirectory: z.string(),
  parts: z.int().positive(),
  /**
   * The program and its arguments, without those that differ: `--part K/N`, `--host-name` and `--output` are added. With
   * `--resume FOLDER` in place of them it goes on with a part.
   */
  program: z.tuple([z.string()], z.string()),
  /** Arguments that are added to `program` for a part, but not when a part is resumed. */
  begin: z.array(z.string()),
  /** Folder for the recording of all parts; `null` = a new one. */
  output: z.string().nullable(),
  /** Further options of the scheduler's program. */
  options: z.array(z.string()),
  /** Template of the pods; `null` where there are none. */
  pod: z.unknown(),
});
export type PartsJob = z.infer<typeof partsJobSchema>;
const keptJobSchema = partsJobSchema.extend({
  schema: z.literal('deadheat.parts/1'),
  /** The jobs that make the parts, the newest last: task K of one makes the K-th of its parts. */
  jobs: z.array(z.object({ id: z.string(), parts: z.array(z.int()), options: z.array(z.string()) })),
});
type KeptJob = z.infer<typeof keptJobSchema>;

const jobFile = 'job.json';

/** The command of deadheat on the nodes of a scheduler; `null` = that of this machine. */
export function commandOn(scheduler: PartsJob['scheduler']): readonly [string, ...string[]] | null {
  return schedulers[scheduler].command;
}

/** Reads the job whose parts a folder holds. @returns `null` for a folder that holds none */
function readKept(folder: string): KeptJob | null {
  try {
    return keptJobSchema.parse(JSON.parse(readFileSync(join(folder, jobFile), 'utf8')));
  } catch {
    return null;
  }
}

function words(list: readonly string[]): string {
  return list.map(quoteWord).join(' ');
}

/**
 * The script of a job. A task that is started again on the same node goes on with its part; on another it begins anew, so that the runs
 * of a part are of one machine, and what there was is put aside below `lost`, where no merge looks. So is a recording that was ended before
 * it could go on. A node that was taken for lost and goes on finds its recording no more, and its end does not count.
 */
function jobScript(
  job: PartsJob,
  { folder, parts }: { readonly folder: string; readonly parts: readonly number[] },
): string {
  const { head, shell } = schedulers[job.scheduler];
  const { workingDirectory, program, begin } = job;
  return `${head(job.name, parts.length)}set -u
cd ${quoteWord(workingDirectory)} || exit 1
set -- ${parts.join(' ')}
shift "$((${shell.task} - 1))"
number=$1
part=${quoteWord(folder)}/$number
node=${shell.node}
exec >> "$part.log" 2>&1
rm -f "$part.exit"
recording="$part-$node"
for begun in "$part"-*; do
  if [ ! -d "$begun" ] || { [ "$begun" = "$recording" ] && [ -e "$begun/experiment.json" ]; }; then continue; fi
  echo "begun on \${begun#"$part-"}, begins anew on $node"
  mkdir -p ${quoteWord(folder)}/lost
  lost=${quoteWord(folder)}/lost/$(basename "$begun")
  while [ -e "$lost" ]; do lost=$lost+; done
  mv "$begun" "$lost"
done
echo "$node" > "$part.node"
if [ -e "$recording/experiment.json" ]; then
  ${words(program)} --resume "$recording"
else
  ${words([...program, ...begin])} --part "$number/${job.parts}" --host-name "$node" --output "$recording"
fi
status=$?
if [ "$(cat "$part.node")" = "$node" ]; then echo "$status" > "$part.exit"; fi
exit "${shell.status}"
`;
}

/** Unanswered questions in a row, some two minutes of them, after which nobody asks any more. */
const mostUnanswered = 60;
const logCharacters = 4000;
/** Looks at an empty queue before a part without an end is given up: a task that is queued again is out of it for a moment. */
const emptyLooks = 4;

/** The state of an array of parts. */
export interface ArrayProgress {
  readonly waiting: number;
  /** Why they wait, as the scheduler calls it; `null` = none waits. */
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
  /** Why the scheduler ended it, and what to do, a sentence; `null` = it ended by itself, or nobody knows. */
  readonly reason: string | null;
}

/** The parts of an experiment, which a scheduler has executed on the nodes of a cluster. */
export class PartArray {
  readonly folder: string;
  #kept: KeptJob;

  private constructor(folder: string, kept: KeptJob) {
    this.folder = folder;
    this.#kept = kept;
  }

  /** The scheduler's numbers of its jobs. */
  get ids(): readonly string[] {
    return this.#kept.jobs.map(({ id }) => id);
  }

  get parts(): number {
    return this.#kept.parts;
  }

  /** The scheduler's name. */
  get title(): string {
    return this.#scheduler.title;
  }

  /** Folder for the recording of all parts; `null` = a new one. */
  get output(): string | null {
    return this.#kept.output;
  }

  get #scheduler(): Scheduler {
    return schedulers[this.#kept.scheduler];
  }

  /**
   * Submits all parts of a job, whose script is written into a new folder.
   *
   * @param folder shared by all nodes; holds the script, and of part K the recording `K-NODE`, the output `K.log` and the exit code `K.exit`
   * @throws SchedulerError `SCHEDULER_MISSING` or `SCHEDULER_REFUSED`
   */
  static async submit(folder: string, job: PartsJob): Promise<PartArray> {
    await makeFolder(folder);
    const array = new PartArray(folder, { schema: 'deadheat.parts/1', jobs: [], ...job });
    await array.#submit(array.#parts(), null);
    return array;
  }

  /**
   * Submits the parts of a job again that are missing and that no task makes, each for the node that began it, where it goes on.
   *
   * @param options further options of the scheduler's program, after those of the beginning
   * @returns `null` where the folder does not say how its parts were submitted
   * @throws SchedulerError `SCHEDULER_MISSING` or `SCHEDULER_REFUSED`, `SCHEDULER_LOST` when it does not answer
   */
  static async resubmit(folder: string, options: readonly string[] = []): Promise<PartArray | null> {
    const kept = readKept(folder);
    if (kept === null) return null;
    const array = new PartArray(folder, { ...kept, options: [...kept.options, ...options] });
    const missing = array.#failed();
    if (missing.length === 0) return array;
    const tasks = await array.#tasks(new AbortController().signal);
    if (tasks === null) throw array.#lost();
    const made = new Set(tasks.map((task) => array.#partOf(task)));
    const ends = await array.#scheduler.ends(array.#kept.jobs);
    const lost = new Set(ends.filter(({ isNodeLost }) => isNodeLost).map((end) => array.#partOf(end)));
    const byNode = new Map<string, number[]>();
    for (const { part } of missing) {
      if (made.has(part)) continue;
      rmSync(`${array.#path(part)}.exit`, { force: true });
      const isBegun = existsSync(join(array.#recording(part), recordingFiles.experiment));
      const node = isBegun && !lost.has(part) ? array.#nodeOf(part) : '';
      byNode.set(node, [...(byNode.get(node) ?? []), part]);
    }
    for (const [node, parts] of byNode) {
      const isTaken = node !== '' && (await array.#submit(parts, node));
      if (!isTaken) await array.#submit(parts, null);
    }
    return array;
  }

  /** Hands a script to the scheduler, and keeps the number that it gives; `false` = there is no node of that name any more. */
  async #submit(parts: readonly number[], node: string | null): Promise<boolean> {
    const { folder } = this;
    const { jobs, options, pod, name: title } = this.#kept;
    const name = `${basename(folder).replace(/^\w+-/, 'deadheat-')}-${jobs.length + 1}`;
    const script = join(folder, `job-${jobs.length + 1}.sh`);
    writeFileSync(script, jobScript(this.#kept, { folder, parts }), { mode: 0o755 });
    const { submit, noNode } = this.#scheduler;
    let id: string;
    try {
      id = await submit({ name, title, folder, script, tasks: parts.length, node, options, pod });
    } catch (error) {
      if (node !== null && noNode?.test(saidBy(error)) === true) return false;
      throw submitFailure(error as Failure, this.title);
    }
    this.#kept = { ...this.#kept, jobs: [...jobs, { id, parts: [...parts], options }] };
    writeFileSync(join(folder, jobFile), `${JSON.stringify(this.#kept, null, 2)}\n`);
    return true;
  }

  /**
   * Waits until no task is left.
   *
   * @param pollMs pause between two questions, ms
   * @returns the parts that failed.
   * @throws SchedulerError `SCHEDULER_LOST`; what `signal` was aborted with
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
    await this.#scheduler.cancel(this.#kept.jobs).catch(() => undefined);
  }

  /** Every task that has not ended; `null` = the scheduler did not answer. */
  async #tasks(signal: AbortSignal): Promise<readonly Task[] | null> {
    try {
      return await this.#scheduler.watch(this.#kept.jobs, signal);
    } catch {
      signal.throwIfAborted();
      return null;
    }
  }

  /** Adds to parts that failed why the scheduler ended them. */
  async #explain(failed: readonly FailedPart[]): Promise<readonly FailedPart[]> {
    if (failed.length === 0) return failed;
    const ends = await this.#scheduler.ends(this.#kept.jobs);
    const reasons = new Map(ends.map((end) => [this.#partOf(end), end.reason]));
    return failed.map((one) => ({ ...one, reason: reasons.get(one.part) ?? null }));
  }

  #progress(tasks: readonly Task[]): ArrayProgress {
    const waits = tasks.filter(({ isRunning }) => !isRunning);
    return {
      waiting: waits.length,
      reason: waits.find((task) => task.reason !== null)?.reason ?? null,
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

  #partOf({ job, task }: { readonly job: string; readonly task: number }): number | undefined {
    return this.#kept.jobs.find(({ id }) => id === job)?.parts[task - 1];
  }

  #path(part: number): string {
    return join(this.folder, String(part));
  }

  #nodeOf(part: number): string {
    return textOf(`${this.#path(part)}.node`).trim();
  }

  /** The recording of a part on the node that has it now. */
  #recording(part: number): string {
    return `${this.#path(part)}-${this.#nodeOf(part)}`;
  }

  #lost(): SchedulerError {
    return new SchedulerError(
      'SCHEDULER_LOST',
      `${this.title} does not answer any more; job ${this.ids.join(', ')} may go on. When it has ended, judge its parts with: ` +
        `deadheat ci merge ${this.folder}`,
    );
  }
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function linesOf(path: string): number {
  return textOf(path).split('\n').length - 1;
}

function submitFailure(error: Failure, title: string): Error {
  if (error.code === 'ENOENT') {
    const program = (error as NodeJS.ErrnoException).path ?? 'program';
    const advice = `Start this on a machine that submits jobs to ${title}, or make the parts yourself: deadheat run --part.`;
    return new SchedulerError('SCHEDULER_MISSING', `There is no ${program} here. ${advice}`, { cause: error });
  }
  if (error.stderr === undefined) return error;
  return new SchedulerError('SCHEDULER_REFUSED', `${title} did not take the job: ${saidBy(error)}`, { cause: error });
}
