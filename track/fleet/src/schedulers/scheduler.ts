import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DeadheatError } from '@deadheat/model';

/**
 * The parts of an experiment could not be had from a scheduler; the message says why and what to do.
 *
 * - `SCHEDULER_MISSING`: its program is not on this machine.
 * - `SCHEDULER_REFUSED`: it did not take the job; the message holds what it said.
 * - `SCHEDULER_LOST`: it did not answer any more; the jobs may go on.
 */
export class SchedulerError extends DeadheatError {
  override readonly name = 'SchedulerError';
}

/** Some parts of an experiment, as the tasks of a job that is to be submitted. */
export interface Submission {
  /** Unique among all jobs: letters, digits and `-`, at most 40. */
  readonly name: string;
  /** Shown in the queue. */
  readonly title: string;
  /** Shared by all nodes; for what the scheduler itself writes. */
  readonly folder: string;
  /** Path of the script, which every task executes. */
  readonly script: string;
  /** Number of tasks. */
  readonly tasks: number;
  /** The node that is to execute them; `null` = any. */
  readonly node: string | null;
  /** Further options of the scheduler's program. */
  readonly options: readonly string[];
  /** Template of the pods; `null` where there are none. */
  readonly pod: unknown;
}

/** A job that a scheduler took. */
export interface SubmittedJob {
  readonly id: string;
  /** Further options of the scheduler's program. */
  readonly options: readonly string[];
}

/** A task that has not ended. Tasks of a job are numbered from 1. */
export interface Task {
  readonly job: string;
  readonly task: number;
  readonly isRunning: boolean;
  /** Why it waits, as the scheduler calls it; `null` = it runs, or there is no reason. */
  readonly reason: string | null;
}

/** The end of a task that did not end by itself. */
export interface TaskEnd {
  readonly job: string;
  readonly task: number;
  /** Why the scheduler ended it and what to do, a sentence without its subject; `null` = it ended by itself, or nobody knows. */
  readonly reason: string | null;
  /** True = its node is not to be trusted with it again. */
  readonly isNodeLost: boolean;
}

/**
 * A program that executes jobs on the nodes of a cluster. The parts, their files and their merge are the same for all schedulers
 * (`PartArray`).
 */
export interface Scheduler {
  /** Its name in sentences. */
  readonly title: string;
  /** The command of deadheat on a node; `null` = that of this machine, at the same path. */
  readonly command: readonly [string, ...string[]] | null;
  /** The first lines of the script: its shell, and what is asked of the scheduler for each of some tasks. */
  readonly head: (title: string, tasks: number) => string;
  /** Expressions of the shell on a node: the number of the task from 1, the name of the node, and the exit code of a task that has ended by itself. */
  readonly shell: { readonly task: string; readonly node: string; readonly status: string };
  /** Submits tasks. Returns the id of the job. @throws Failure of `ask` */
  readonly submit: (submission: Submission) => Promise<string>;
  /** Its message where the node that is asked for is no more; `null` = such tasks go elsewhere. */
  readonly noNode: RegExp | null;
  /** Every task that has not ended. @throws Error of `ask` where the scheduler does not answer */
  readonly watch: (jobs: readonly SubmittedJob[], signal: AbortSignal) => Promise<readonly Task[]>;
  /** The ends of tasks that have ended, of a task that was executed several times the last one; empty where nobody remembers. */
  readonly ends: (jobs: readonly SubmittedJob[]) => Promise<readonly TaskEnd[]>;
  /** Ends all tasks, and forgets the jobs. */
  readonly cancel: (jobs: readonly SubmittedJob[]) => Promise<void>;
}

const execute = promisify(execFile);

/** The failure of a scheduler's program. */
export interface Failure extends Error {
  readonly code?: unknown;
  readonly stderr?: string;
}

/** What a program of a scheduler wrote. It has a minute. @throws Failure where it could not be started, or ended with another status than 0 */
export async function ask(
  program: string,
  args: readonly string[],
  { signal, input }: { readonly signal?: AbortSignal; readonly input?: string } = {},
): Promise<string> {
  const asked = execute(program, args, {
    timeout: 60_000,
    maxBuffer: 1 << 26,
    ...(signal === undefined ? {} : { signal }),
  });
  const { stdin } = asked.child;
  // A program that ends without reading closes the pipe.
  stdin?.on('error', () => undefined);
  stdin?.end(input);
  return (await asked).stdout;
}

/** The ids of jobs. */
export function idsOf(jobs: readonly SubmittedJob[]): readonly string[] {
  return jobs.map(({ id }) => id);
}

/** What a failed program said. */
export function saidBy(error: unknown): string {
  const { stderr = '', message } = error as Failure;
  return stderr.trim() || message;
}
