import { methodFacts, type Benchmark, type Failure, type Side } from '@deadheat/model';
import {
  executeInTurn,
  type Executor,
  type HookName,
  type HookOptions,
  type RunOutcome,
  type RunRequest,
  type SideOutcome,
} from '../src/run/executor.ts';

/** One execution of a fake program; the clock is the fake's own. */
export interface FakeExecution {
  readonly durationNs: number;
  /** CPU time; the duration unless given. */
  readonly cpuNs?: number;
  readonly failure?: Failure;
  readonly observed?: SideOutcome['observed'];
}

/** An executor that runs nothing: it asks a function what each execution would have taken. Nothing but tests uses it. */
export class FakeExecutor implements Executor {
  readonly requests: RunRequest[] = [];
  readonly hooks: string[] = [];
  readonly #behave: (side: Side, request: RunRequest, iteration: number) => FakeExecution;
  #nowNs = 1_000_000_000;
  #aborted = false;

  constructor(behave: (side: Side, request: RunRequest, iteration: number) => FakeExecution) {
    this.#behave = behave;
  }

  /** The fake's clock, ns. */
  readonly nowNs = (): number => this.#nowNs;

  get aborted(): boolean {
    return this.#aborted;
  }

  async define(_index: number, _benchmark: Benchmark): Promise<void> {}

  folderOf(): string {
    return '/';
  }

  async run(request: RunRequest): Promise<RunOutcome> {
    this.requests.push(request);
    const failures: Failure[] = [];
    const beginNs = this.#nowNs;
    let endNs = beginNs;
    const outcome = (side: Side): SideOutcome => {
      let atNs = !methodFacts[request.method].together ? endNs : beginNs;
      const executions: SideOutcome['executions'][number][] = [];
      let observed: SideOutcome['observed'] = null;
      for (let iteration = 0; iteration < request.executions; iteration++) {
        const behaved = this.#behave(side, request, iteration);
        const { durationNs, cpuNs = durationNs, failure } = behaved;
        observed = behaved.observed ?? null;
        if (failure !== undefined) failures.push(failure);
        executions.push({
          startNs: atNs,
          endNs: atNs + durationNs,
          userNs: cpuNs,
          systemNs: 0,
          runDelayNs: 0,
          maxRssBytes: 1_000_000,
          voluntarySwitches: 0,
          involuntarySwitches: 0,
          exitCode: failure === undefined ? 0 : 1,
          signal: null,
        });
        atNs += durationNs;
      }
      endNs = Math.max(endNs, atNs);
      return { executions, strays: 0, stderrBytes: 0, stopped: false, observed };
    };
    const found: Partial<Record<Side, SideOutcome>> = {};
    const ofHooks =
      request.around === undefined
        ? []
        : await executeInTurn(request, async (side) => {
            found[side] = outcome(side);
            return true;
          });
    const sides = { A: found.A ?? outcome('A'), B: found.B ?? outcome('B') };
    this.#nowNs = endNs;
    return { sides, failures: [...failures, ...ofHooks] };
  }

  async hook(name: HookName, options: { readonly benchmark: number } & HookOptions): Promise<Failure | null> {
    this.hooks.push(`${name} ${options.benchmark} ${options.side}`);
    return null;
  }

  abort(): void {
    this.#aborted = true;
  }

  async close(): Promise<void> {}
}
