import { AgreedInvocations } from './agreed-invocations.ts';
import type { Benchmark } from './benchmark.ts';
import { createCpuMeter, type CpuMeter } from './cpu-meter.ts';
import { loadSync, tryLoadSync, type Sync } from './load-sync.ts';
import { PageEnd } from './page-end.ts';
import { takesPart, type Environment } from './read-environment.ts';
import { RecordWriter } from './record-writer.ts';

const measure = 0;
export const warmup = 1;
export const stop = 2;

/** The parts of a program's connection to an experiment; `null` = absent. */
interface Pieces {
  readonly sync: Sync | null;
  readonly page: PageEnd | null;
  readonly record: RecordWriter | null;
  readonly agreed: AgreedInvocations | null;
}

/** The connection of this program to its experiment. Outside an experiment it does almost nothing. */
export class Part {
  readonly environment: Environment;
  readonly agreed: AgreedInvocations | null;
  readonly #sync: Sync | null;
  readonly #page: PageEnd | null;
  readonly #record: RecordWriter | null;
  readonly #cpu: CpuMeter | null;
  #begun: number;
  #cpuInUse: number | null = null;
  #closed = false;

  private constructor(environment: Environment, { sync, page, record, agreed }: Pieces) {
    this.environment = environment;
    this.agreed = agreed;
    this.#sync = sync;
    this.#page = page;
    this.#record = record;
    this.#cpu = record === null ? null : createCpuMeter(sync);
    this.#begun = record?.begun ?? 0;
  }

  /**
   * Takes part as the environment says.
   *
   * @throws SyncError when the page is refused; HarnessError `NO_SYNC`, `RECORD`
   */
  static async join(environment: Environment): Promise<Part> {
    const { side, page: pagePath, record: recordPath, calibration, trade, wait } = environment;
    const needed = pagePath !== null || trade !== null;
    const wanted = takesPart(environment);
    const sync = needed ? await loadSync() : wanted ? await tryLoadSync() : null;
    const page =
      sync !== null && pagePath !== null && side !== null ? new PageEnd(sync, { path: pagePath, side, wait }) : null;
    try {
      const record = recordPath === null ? null : new RecordWriter(recordPath);
      const agreed = calibration === null ? null : new AgreedInvocations(calibration);
      return new Part(environment, { sync, page, record, agreed });
    } catch (error) {
      page?.close('failed');
      throw error;
    }
  }

  /** True if another side may end a benchmark. */
  get hasPage(): boolean {
    return this.#page !== null;
  }

  /** Number that the next benchmark of the program has, from 0. */
  get nextNumber(): number {
    return this.#begun;
  }

  begin(benchmark: Benchmark): void {
    this.#begun += 1;
    this.#page?.beginBenchmark();
    this.#record?.begin(benchmark);
  }

  /** Moves every thread of the process to the CPU on which an iteration is to run, when it is another one. */
  trade(iteration: number): void {
    const { trade } = this.environment;
    if (trade === null || this.#sync === null) return;
    const cpu = Math.floor(iteration / trade.period) % 2 === 0 ? trade.cpus[0] : trade.cpus[1];
    if (cpu === this.#cpuInUse) return;
    this.#sync.setProcessAffinity([cpu]);
    this.#cpuInUse = cpu;
  }

  /** Waits for the other side, if there is one; gives what to do next. */
  arrive(): number {
    return this.#page === null ? measure : this.#page.arrive();
  }

  startMeter(): void {
    this.#cpu?.start();
  }

  /** To be called as soon as an iteration has ended. */
  stopMeter(): void {
    this.#cpu?.stop();
    this.#page?.count();
  }

  /** Records the iteration that has just ended. */
  record(iteration: {
    readonly index: number;
    readonly times: BigUint64Array;
    readonly invocations: number;
    readonly warmup: boolean;
    readonly sampled?: readonly number[];
  }): void {
    const cpu = this.#cpu;
    if (cpu === null) return;
    this.#record?.append({ ...iteration, processNs: cpu.processNs, threadNs: cpu.threadNs });
  }

  /**
   * True if the side goes on with the same work, unmeasured, so that the machine stays equally loaded until the other side has
   * finished.
   */
  get mustFill(): boolean {
    return this.environment.fill && this.#page !== null && this.#page.peerBehind;
  }

  /** Reports to the runner how this side ended; only the first time counts. */
  close(state: 'finished' | 'failed'): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#page?.close(state);
  }
}
