import { closeSync, openSync } from 'node:fs';
import type { Benchmark, Failure, Side } from '@deadheat/model';
import { describeFailure } from './describe-failure.ts';
import { sideEnvironment } from './environment.ts';
import type { HookName } from './executor.ts';
import { GroupProcess } from './group-process.ts';

/**
 * Executes a side's hooks by the shell, on any CPU. What a hook leaves in the background (a server that `--setup`
 * starts) is left alone.
 */
export class Hooks {
  readonly #process = new GroupProcess();
  readonly #output: 'null' | 'inherit';
  readonly #onStart: ((pid: number | null) => void) | undefined;

  constructor(options: { readonly output: 'null' | 'inherit'; readonly onStart?: (pid: number | null) => void }) {
    this.#output = options.output;
    this.#onStart = options.onStart;
  }

  /** @returns `null` when the hook succeeded or there is none */
  async run(name: HookName, { benchmark, side }: { benchmark: Benchmark; side: Side }): Promise<Failure | null> {
    const commandLine = benchmark.hooks[side][name];
    if (commandLine === null) return null;
    const workingDirectory = benchmark.workingDirectory[side];
    const ended = await this.#process
      .execute(['/bin/sh', '-c', commandLine], {
        environment: sideEnvironment(side, benchmark),
        workingDirectory,
        outputFile: null,
        input: null,
        output: this.#output,
        timeoutNs: null,
        endStrays: false,
        ...(this.#onStart === undefined ? {} : { onStart: this.#onStart }),
      })
      .catch((error: Error) => error);
    this.#onStart?.(null);
    if (ended instanceof Error) {
      const where = workingDirectory === null ? '' : ` in ${workingDirectory}`;
      const advice = 'Check the folder, the length of the command and the environment.';
      const message = `The ${name} command of ${side} cannot be started${where} (${ended.message}): ${commandLine}\n${advice}`;
      return { side, code: 'HOOK_FAILED', message };
    }
    const { execution, stderr } = ended;
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

/** A command about the host should not hold the experiment up for longer. */
const limitNs = 60e9;

/**
 * Executes a shell command and keeps what it prints in a file.
 *
 * @returns why it failed; `null` when it did not. What it printed until then is kept.
 */
export async function runArtifact(commandLine: string, file: string): Promise<string | null> {
  let outputFile: number;
  try {
    outputFile = openSync(file, 'w');
  } catch (error) {
    return (error as Error).message;
  }
  try {
    const { execution, stderr, timedOut } = await new GroupProcess().execute(['/bin/sh', '-c', commandLine], {
      environment: process.env as Readonly<Record<string, string>>,
      workingDirectory: null,
      input: null,
      output: 'null',
      outputFile,
      timeoutNs: limitNs,
      endStrays: false,
    });
    if (timedOut) return `it took longer than ${limitNs / 1e9} s`;
    if (execution.exitCode === 0) return null;
    const said = stderr.trim().split('\n').at(-1) ?? '';
    return `status ${execution.exitCode ?? 'unknown'}${said === '' ? '' : `: ${said}`}`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    closeSync(outputFile);
  }
}
