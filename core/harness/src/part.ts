import { cpus } from 'node:os';
import type { Barrier, Page, WaitPolicy } from '@deadheat/sync';
import { AgreedInvocations } from './agreed-invocations.ts';
import type { Benchmark } from './benchmark.ts';
import { loadSync, tryLoadSync, type Sync } from './load-sync.ts';
import { takesPart, type Environment } from './read-environment.ts';
import { HarnessError } from './harness-error.ts';
import { openSync, readFileSync, readSync, writeSync } from 'node:fs';

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
  /** How long this thread waited for a core while work was done. */
  readonly delay: DelayMeter = new DelayMeter();
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
    if (this.#cpu !== null) this.delay.start();
    this.#cpu?.start();
  }

  /** To be called as soon as an iteration has ended. */
  stopMeter(): void {
    this.#cpu?.stop();
    if (this.#cpu !== null) this.delay.stop();
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
    this.#record?.append({
      ...iteration,
      processNs: cpu.processNs,
      threadNs: cpu.threadNs,
      delayNs: this.delay.delayNs,
    });
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

/** Least wait for the other side, ms: the protocol's deadline. */
const leastDeadlineMs = 30_000;
/** The deadline is this many times the slowest iteration of this side. */
const patience = 10;
const startedMask = 0x7fff_ffff;
/**
 * CLOCK_MONOTONIC at the origin of performance.now(), ms: the latest of ten readings. A delay between the readings of
 * the two clocks makes the result too early, by milliseconds when Node loads the second clock at that moment.
 */
const clockOriginMs = Math.max(
  ...Array.from({ length: 10 }, () => Number(process.hrtime.bigint()) / 1e6 - performance.now()),
);

/** This side's end of the shared page. */
class PageEnd {
  readonly #sync: Sync;
  readonly #page: Page;
  readonly #barrier: Barrier;
  readonly #party: 0 | 1;
  readonly #arriving: { readonly wait: WaitPolicy; deadlineMs: number };
  #startedAt = 0;

  /**
   * @param options.wait how to wait for the other side; `null` = in a busy loop, unless the machine has one CPU. The
   *   affinity of this process does not show it: a side that has a core of its own is pinned to one, too
   * @throws SyncError when the page is not one, or of another version; HarnessError `FAILED_BEFORE` when an earlier process
   *   of this side has failed
   */
  constructor(
    sync: Sync,
    { path, side, wait }: { readonly path: string; readonly side: 'A' | 'B'; readonly wait: WaitPolicy | null },
  ) {
    this.#sync = sync;
    this.#page = sync.openPage(path);
    this.#party = side === 'A' ? 0 : 1;
    if (this.#load(sync.word.state(this.#party)) === sync.sideState.failed) {
      throw new HarnessError(
        'FAILED_BEFORE',
        'this side has failed already, so that its other benchmarks are left out',
      );
    }
    this.#barrier = new sync.Barrier(this.#page, this.#party);
    this.#arriving = { wait: wait ?? (cpus().length > 1 ? 'spin' : 'yield'), deadlineMs: leastDeadlineMs };
    this.#store(sync.word.pid(this.#party), process.pid);
    this.#store(sync.word.state(this.#party), sync.sideState.running);
  }

  beginBenchmark(): void {
    this.#barrier.beginBenchmark();
  }

  /**
   * Waits for the other side.
   *
   * @returns what to do next: 0 measure, 1 warm-up, 2 stop
   * @throws SyncError `PAGE_POISONED`, `BARRIER_DEADLINE`
   */
  arrive(): number {
    const decision = this.#barrier.arrive(this.#arriving);
    this.#startedAt = performance.now();
    this.#store(this.#sync.word.startedMs(this.#party), Math.floor(clockOriginMs + this.#startedAt) & startedMask);
    return decision;
  }

  /** Counts an iteration that has ended. */
  count(): void {
    const { workDone } = this.#sync.word;
    this.#store(workDone(this.#party), (this.#load(workDone(this.#party)) + 1) | 0);
    const slowest = patience * (performance.now() - this.#startedAt);
    if (slowest > this.#arriving.deadlineMs) this.#arriving.deadlineMs = slowest;
  }

  /** True while the other side is still in the iteration that this one has ended; not when nobody waits any longer. */
  get peerBehind(): boolean {
    const { word, poison } = this.#sync;
    const behind = (this.#load(word.workDone(1 - this.#party)) - this.#load(word.workDone(this.#party))) | 0;
    if (behind >= 0 || this.#load(word.poison) !== poison.none) return false;
    return performance.now() - this.#startedAt < this.#arriving.deadlineMs;
  }

  /** Reports to the runner how the side ended. */
  close(state: 'finished' | 'failed'): void {
    this.#store(this.#sync.word.state(this.#party), this.#sync.sideState[state]);
    this.#store(this.#sync.word.pid(this.#party), 0);
  }

  #load(index: number): number {
    return Atomics.load(this.#page.words, index);
  }

  #store(index: number, value: number): void {
    Atomics.store(this.#page.words, index, value);
  }
}

/** Measures the CPU time of an iteration. */
interface CpuMeter {
  start(): void;
  stop(): void;
  /** CPU time of the whole process between start and stop, ns. */
  readonly processNs: number;
  /** CPU time of the calling thread alone, ns; `null` = not known. */
  readonly threadNs: number | null;
}

/** Measures how long the calling thread is ready to run and waits for a CPU. */
export class DelayMeter {
  /** The wait between start and stop, ns; `null` where the kernel does not say. */
  delayNs: number | null = null;
  readonly #bytes = Buffer.alloc(64);
  readonly #fd: number | null;
  #start = 0;

  constructor() {
    try {
      this.#fd = openSync('/proc/thread-self/schedstat', 'r');
    } catch {
      this.#fd = null;
    }
  }

  start(): void {
    this.#start = this.#read();
  }

  stop(): void {
    const delayNs = this.#read() - this.#start;
    this.delayNs = Number.isNaN(delayNs) ? null : delayNs;
  }

  #read(): number {
    if (this.#fd === null) return Number.NaN;
    const length = readSync(this.#fd, this.#bytes, 0, this.#bytes.length, 0);
    return Number(this.#bytes.toString('latin1', 0, length).split(' ')[1] ?? Number.NaN);
  }
}

/**
 * Makes a meter. With the C library it is precise to the nanosecond; without it the meter has only the CPU time of the
 * process, to the microsecond.
 */
function createCpuMeter(sync: Sync | null): CpuMeter {
  return sync === null ? new PortableMeter() : new NativeMeter(sync);
}

class NativeMeter implements CpuMeter {
  processNs = 0;
  threadNs = 0;
  readonly #process: () => number;
  readonly #thread: () => number;
  #processStart = 0;
  #threadStart = 0;

  constructor(sync: Sync) {
    const { processNs, threadNs } = sync.openCpuClocks();
    this.#process = processNs;
    this.#thread = threadNs;
  }

  start(): void {
    this.#processStart = this.#process();
    this.#threadStart = this.#thread();
  }

  stop(): void {
    this.threadNs = this.#thread() - this.#threadStart;
    this.processNs = this.#process() - this.#processStart;
  }
}

class PortableMeter implements CpuMeter {
  processNs = 0;
  readonly threadNs = null;
  #start = process.cpuUsage();

  start(): void {
    this.#start = process.cpuUsage();
  }

  stop(): void {
    const { user, system } = process.cpuUsage(this.#start);
    this.processNs = (user + system) * 1000;
  }
}

const recordVersion = 1;

/** One iteration as the record has it. */
interface RecordedIteration {
  /** Index in its benchmark, warm-up included, from 0. */
  readonly index: number;
  /** Start and end, ns of CLOCK_MONOTONIC. */
  readonly times: BigUint64Array;
  readonly invocations: number;
  readonly warmup: boolean;
  /** Times of invocations, ns; absent = none were sampled. */
  readonly sampled?: readonly number[];
  /** CPU time of the process, ns. */
  readonly processNs: number;
  /** CPU time of the benchmark's thread, ns; `null` = not known. */
  readonly threadNs: number | null;
  /** How long that thread was ready to run and waited for a CPU, ns; `null` = not known. */
  readonly delayNs: number | null;
}

/** Appends to the file that `DEADHEAT_RECORD` names, a line a write. */
export class RecordWriter {
  readonly #path: string;
  readonly #fd: number;
  /** Benchmarks that are in the file already: an earlier process of the same program executed them. */
  readonly begun: number;

  /** @throws HarnessError `RECORD` when the file cannot be opened */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#fd = openSync(path, 'a');
      this.begun = readFileSync(path, 'utf8').match(/^\{"deadheat":/gm)?.length ?? 0;
    } catch (cause) {
      throw new HarnessError('RECORD', `cannot open the record ${path}: ${(cause as Error).message}`, { cause });
    }
  }

  /** Begins a benchmark. */
  begin({ name, paramTexts }: Benchmark): void {
    this.#write(`${JSON.stringify({ deadheat: recordVersion, benchmark: name, params: paramTexts })}\n`);
  }

  /** Records an iteration that has ended. */
  append({ index, times, invocations, warmup, sampled, processNs, threadNs, delayNs }: RecordedIteration): void {
    const phase = warmup ? ',"p":"warmup"' : '';
    const thread = threadNs === null ? '' : `,"t":${threadNs}`;
    const delay = delayNs === null ? '' : `,"q":${delayNs}`;
    const samples = sampled === undefined ? '' : `,"d":[${sampled.join(',')}]`;
    this.#write(
      `{"i":${index},"s":${times[0]},"e":${times[1]},"n":${invocations}${phase},"c":${processNs}${thread}${delay}${samples}}\n`,
    );
  }

  #write(line: string): void {
    let written: number;
    try {
      written = writeSync(this.#fd, line);
    } catch (cause) {
      throw new HarnessError('RECORD', `cannot write the record ${this.#path}: ${(cause as Error).message}`, { cause });
    }
    if (written !== Buffer.byteLength(line)) {
      throw new HarnessError('RECORD', `cannot write the record ${this.#path}: the disk took a part of a line`);
    }
  }
}
