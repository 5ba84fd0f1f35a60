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
    const { execution, stderr } = await this.#process.execute(['/bin/sh', '-c', commandLine], {
      environment: sideEnvironment(side, benchmark),
      workingDirectory: benchmark.workingDirectory[side],
      outputFile: null,
      input: null,
      output: this.#output,
      timeoutNs: null,
      endStrays: false,
      ...(this.#onStart === undefined ? {} : { onStart: this.#onStart }),
    });
    this.#onStart?.(null);
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
