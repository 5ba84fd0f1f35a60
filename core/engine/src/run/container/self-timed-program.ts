import type { Page } from '@deadheat/sync';
import type { RunRequest } from '../executor.ts';
import { watchLimits } from '../native/watch-limits.ts';
import { observeContainer } from './container-usage.ts';
import { toExecution, type SideEnd, type SideProgram } from './describe-end.ts';
import type { SideContainer } from './side-container.ts';
import type { SideOutput } from './side-output.ts';
import { inside } from './inside.ts';

export interface SelfTimedProgramOptions {
  readonly request: RunRequest;
  readonly party: 0 | 1;
  readonly place: SideContainer;
  /** `true` = it is asked to end, and not killed, when the run takes too long. */
  readonly countsCut: boolean;
  readonly argv: readonly string[];
  readonly hasInput: boolean;
  readonly environment: Readonly<Record<string, string>>;
  readonly output: SideOutput;
  /** File that grows with every iteration. */
  readonly progressFile: string;
  readonly page: Page;
  readonly programPage: Page | null;
}

/** A program that times its iterations itself, without its start. */
export class SelfTimedProgram implements SideProgram {
  readonly #options: SelfTimedProgramOptions;

  constructor(options: SelfTimedProgramOptions) {
    this.#options = options;
  }

  async ready(): Promise<void> {}

  async execute(): Promise<SideEnd> {
    const { request, party, place, countsCut, argv, hasInput, environment, output, page, programPage } = this.#options;
    const pid = request.observes ? await place.pid() : null;
    // The engine's answer is no time of the program's.
    const limits = watchLimits(request, {
      party,
      page,
      programPage,
      file: this.#options.progressFile,
      end: () => (countsCut ? place.askToEnd() : place.end()),
    });
    const observer = pid === null ? null : observeContainer(pid);
    try {
      const end = await place.execute({
        argv: hasInput ? inputArgv(argv) : argv,
        environment,
        output: output.descriptors,
      });
      return {
        executions: [toExecution(end)],
        strays: 0,
        ...output.written,
        exceeded: limits.exceeded(),
        observed: observer?.stop() ?? null,
        error: null,
      };
    } finally {
      observer?.stop();
      limits.stop();
    }
  }

  close(): void {
    this.#options.output.close();
  }
}

/** Arguments that execute a program with the benchmark's input: a shell opens the file and becomes the program. */
function inputArgv(argv: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', `exec "$@" < ${inside.input}`, 'sh', ...argv];
}
