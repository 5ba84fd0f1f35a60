import { closeSync, openSync } from 'node:fs';
import type { Benchmark, Failure, Side } from '@deadheat/model';
import { describeFailure } from './describe-failure.ts';
import { sideEnvironment } from './environment.ts';
import { hookPatienceMs } from '@deadheat/sync';
import type { HookName, HookOptions } from './executor.ts';
import { GroupProcess } from './group-process.ts';

/**
 * Executes a side's hooks by the shell, on any CPU. Processes that a hook leaves in the background (a server that `--setup`
 * starts) keep running.
 */
export class Hooks {
  readonly #process = new GroupProcess();
  readonly #output: 'null' | 'inherit';
  readonly #onStart: (pid: number | null) => void;
  readonly #inherited: NodeJS.ProcessEnv;
  readonly #left: number[] = [];

  /**
   * @param options.inherited variables that hooks inherit
   * @param options.onStart called with the process of each hook that starts, and with `null` when it has ended
   */
  constructor(options: {
    readonly output: 'null' | 'inherit';
    readonly inherited: NodeJS.ProcessEnv;
    readonly onStart: (pid: number | null) => void;
  }) {
    this.#output = options.output;
    this.#onStart = options.onStart;
    this.#inherited = options.inherited;
  }

  /** Processes of hooks that were not waited for, for the guardian. */
  get left(): readonly number[] {
    return this.#left;
  }

  /**
   * @param options.benchmark whose hook is meant; a benchmark that nothing was prepared for has none
   * @returns `null` when the hook succeeded or there is none
   */
  async run(
    name: HookName,
    { benchmark, side, leaveAfterMs }: { readonly benchmark: Benchmark | undefined } & HookOptions,
  ): Promise<Failure | null> {
    const commandLine = benchmark?.hooks[side][name] ?? null;
    if (benchmark === undefined || commandLine === null) return null;
    const workingDirectory = benchmark.workingDirectory[side];
    const ended = await this.#process
      .execute(['/bin/sh', '-c', commandLine], {
        environment: sideEnvironment(side, benchmark, this.#inherited),
        workingDirectory,
        outputFile: null,
        input: null,
        output: this.#output,
        timeoutNs: null,
        endStrays: false,
        onStart: this.#onStart,
        ...(leaveAfterMs === undefined ? {} : { leaveAfterMs }),
      })
      .catch((error: Error) => error);
    if (ended instanceof Error) {
      this.#onStart(null);
      const where = workingDirectory === null ? '' : ` in ${workingDirectory}`;
      const advice = 'Check the folder, the length of the command and the environment.';
      const message = `The ${name} command of ${side} cannot be started${where} (${ended.message}): ${commandLine}\n${advice}`;
      return { side, code: 'HOOK_FAILED', message };
    }
    const { execution, stderr, left } = ended;
    if (left !== null) this.#left.push(left);
    this.#onStart(null);
    if (left !== null) return { side, code: 'HOOK_FAILED', message: goesOn({ side, name, commandLine, left }) };
    const failure = describeFailure({
      side,
      during: `its ${name} command`,
      commandLine,
      execution,
      strays: 0,
      limit: null,
      stderr,
    });
    return failure === null ? null : { ...failure, code: 'HOOK_FAILED' };
  }

  end(): void {
    this.#process.end();
  }
}

function goesOn(facts: { side: Side; name: HookName; commandLine: string; left: number }): string {
  const { side, name, commandLine, left } = facts;
  return `${side}: the ${name} command goes on in the background, at most ${hookPatienceMs / 1000} s (process ${left}): ${commandLine}`;
}

/** A command about the host should not hold the experiment up for longer. */
const limitNs = 60e9;

/**
 * Executes a shell command and keeps its output in a file.
 *
 * @param options.signal ends it
 * @returns the reason of a failure; `null` = none. The output until then is kept.
 */
export async function runArtifact(
  commandLine: string,
  { file, signal }: { readonly file: string; readonly signal: AbortSignal },
): Promise<string | null> {
  let outputFile: number;
  try {
    outputFile = openSync(file, 'w');
  } catch (error) {
    return (error as Error).message;
  }
  const group = new GroupProcess();
  function end(): void {
    group.end();
  }
  signal.addEventListener('abort', end);
  try {
    const { execution, stderr, timedOut } = await group.execute(['/bin/sh', '-c', commandLine], {
      environment: process.env as Readonly<Record<string, string>>,
      workingDirectory: null,
      input: null,
      output: 'null',
      outputFile,
      timeoutNs: limitNs,
      endStrays: false,
    });
    if (signal.aborted) return 'it was interrupted';
    if (timedOut) return `it took longer than ${limitNs / 1e9} s`;
    if (execution.exitCode === 0) return null;
    const said = stderr.trim().split('\n').at(-1) ?? '';
    return `status ${execution.exitCode ?? 'unknown'}${said === '' ? '' : `: ${said}`}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    signal.removeEventListener('abort', end);
    closeSync(outputFile);
  }
}
