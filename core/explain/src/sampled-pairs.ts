import { closeSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { planTrial, programEnvironment, runProgram } from '@deadheat/engine';
import {
  type Benchmark,
  configOf,
  DeadheatError,
  type ExperimentConfig,
  methodFacts,
  type Side,
  sides,
  workloadFacts,
} from '@deadheat/model';
import { createUnnamedPage, type Execution, Guardian, Launcher } from '@deadheat/sync';
import { type SampledRun, samplesOf } from './sampled-run.ts';
import type { Sampler } from './samplers/sampler.ts';

/** A run of one side under its sampler. */
export interface SideRun {
  readonly sampled: SampledRun;
  /** CPU time of the process by the kernel, s. */
  readonly cpuSeconds: number;
}

/** Draws of further pairs begin where no comparison comes to. */
const firstPair = 1_000_000;
/** Executions of one run at most, of a program that is short. */
const mostExecutions = 100;
/** Samples of a run at least: the share of a function with a fifth of the time has a standard error of 2.8 percentage points in one run. */
const fewestSamples = 200;
/** Samples of a run where the executions of a pair take no more CPU time than this without their sampler; the error is 1.3 percentage points then. */
const samplesWanted = 1000;
const cpuSecondsOfPair = 2.25;
const unread = { output: 'null', input: null, outputFile: null } as const;

/** A benchmark of a recording whose programs are executed further times. */
export interface PairSubject {
  readonly config: ExperimentConfig;
  readonly index: number;
  readonly samplers: Readonly<Record<Side, Sampler>>;
  /** Empty folder for profiles. */
  readonly folder: string;
  readonly inherited: NodeJS.ProcessEnv;
}

/** Executes both sides of a benchmark in pairs under their samplers, in the order, on the cores and at once or in turn as its runs were. */
export class SampledPairs {
  readonly #subject: PairSubject;
  readonly #benchmark: Benchmark;
  readonly #guardian = new Guardian();
  readonly #launchers: Record<Side, Launcher>;
  /** Time between samples and executions in a run. */
  #intervalNs = 0;
  #executions = 1;

  private constructor(subject: PairSubject, launchers: Record<Side, Launcher>) {
    this.#subject = subject;
    const benchmark = subject.config.benchmarks[subject.index];
    if (benchmark === undefined) throw new RangeError(`there is no benchmark ${subject.index}`);
    this.#benchmark = benchmark;
    this.#launchers = launchers;
    this.#guardian.watch({ processes: sides.map((side) => launchers[side].pid) });
  }

  /** @throws SyncError where launchers cannot work; DeadheatError as `Sampler.check` */
  static async start(subject: PairSubject): Promise<SampledPairs> {
    for (const sampler of new Set(Object.values(subject.samplers))) await sampler.check(subject.folder);
    const { fd } = createUnnamedPage();
    const A = await Launcher.start({ page: fd, party: 0 });
    const B = await Launcher.start({ page: fd, party: 1 });
    closeSync(fd);
    return new SampledPairs(subject, { A, B });
  }

  get intervalNs(): number {
    return this.#intervalNs;
  }
  get executions(): number {
    return this.#executions;
  }

  /**
   * Executes each side once without samples and a pair with them. Chooses the time between samples, for about a thousand in a run, and the
   * executions of a run: for at least 200 samples, and for up to a thousand where twenty pairs then take no more than about a minute. A pair may
   * have fewer than the CPU time lets expect, where the clock of a sampler ticks with the scheduler of a core that is shared.
   */
  async pilot(): Promise<void> {
    const seconds: number[] = [];
    for (const side of sides) {
      const [execution] = await this.#execute(side, { pair: 0, place: null });
      seconds.push(cpuOf(execution));
    }
    const cpuNs = Math.max(1e6, Math.min(...seconds) * 1e9);
    const { samplers } = this.#subject;
    const least = Math.max(samplers.A.leastIntervalNs, samplers.B.leastIntervalNs);
    this.#intervalNs = Math.round(Math.min(10_000_000, Math.max(least, cpuNs / samplesWanted)));
    const executions = atLeastOne((fewestSamples * this.#intervalNs) / cpuNs);
    this.#executions = executions;
    const tried = await this.run(-1);
    const affordable = cpuSecondsOfPair / seconds.reduce((sum, one) => sum + one, 0);
    const perSample = executions / Math.min(...sides.map((side) => samplesOf(tried[side].sampled)));
    const wanted = Math.min(Math.floor(affordable), Math.round(perSample * samplesWanted));
    this.#executions = atLeastOne(Math.max(executions, perSample * fewestSamples, wanted));
  }

  /** Executes a pair, counted from 0. @throws DeadheatError `RUN_FAILED`, `PROFILE_MISSING` or `PROFILE_MALFORMED` */
  async run(pair: number): Promise<Readonly<Record<Side, SideRun>>> {
    const { config, index } = this.#subject;
    const own = configOf(config, this.#benchmark);
    const { order, method } = planTrial(own, { benchmark: index, run: firstPair + pair, phase: 'measure' });
    const first: readonly Side[] = order === 'AB' ? ['A', 'B'] : ['B', 'A'];
    const runs: Partial<Record<Side, SideRun>> = {};
    const runSide = async (side: Side): Promise<void> => {
      const place = join(this.#subject.folder, `${side}${pair}`, 'samples');
      mkdirSync(place, { recursive: true });
      const executions = await this.#execute(side, { pair, place });
      const sampled = await this.#subject.samplers[side].read(place);
      rmSync(join(place, '..'), { recursive: true, force: true });
      if (sampled.stacks.length === 0) throw this.#noSamples(side);
      const ofProcess = executions.reduce((sum, execution) => sum + cpuOf(execution), 0);
      runs[side] = { sampled, cpuSeconds: (sampled.cpuSeconds ?? ofProcess) / executions.length };
    };
    // On one core both sides run at once, also where the comparison ran them in turn: what else the core does is then in both.
    if (methodFacts[method].together || methodFacts[method].cpus === 'one-shared') {
      const ended = await Promise.allSettled(first.map(async (side) => runSide(side)));
      for (const one of ended) if (one.status === 'rejected') throw one.reason;
    } else for (const side of first) await runSide(side);
    return runs as Record<Side, SideRun>;
  }

  /** Ends the programs that are being executed: the run in flight is rejected. */
  end(): void {
    for (const side of sides) this.#launchers[side].endPrograms();
  }

  async close(): Promise<void> {
    await Promise.all(sides.map(async (side) => this.#launchers[side].close()));
    await this.#guardian.close();
  }

  async #execute(
    side: Side,
    { pair, place }: { readonly pair: number; readonly place: string | null },
  ): Promise<readonly Execution[]> {
    const { config, index, samplers, inherited } = this.#subject;
    const benchmark = this.#benchmark;
    const { cpus, padBytes } = planTrial(configOf(config, benchmark), {
      benchmark: index,
      run: firstPair + pair,
      phase: 'measure',
    });
    await this.#hook(side, 'prepare');
    const environment = { ...programEnvironment(side, benchmark, inherited), ...this.#protocol(side) };
    const plain = { argv: benchmark.commands[side].argv, environment };
    const wanted = place === null ? 1 : this.#executions;
    // A file of input is read once by what the launcher starts.
    const executions = samplers[side].repeats && benchmark.input === null ? wanted : 1;
    const program =
      place === null
        ? plain
        : samplers[side].launch(plain, { folder: place, intervalNs: this.#intervalNs, executions });
    const launcher = this.#launchers[side];
    await launcher.define({
      id: 0,
      ...unread,
      ...program,
      input: benchmark.input,
      workingDirectory: benchmark.workingDirectory[side],
    });
    const { executions: ended, stderr } = await launcher.execute({
      program: 0,
      cpus: cpus[side],
      run: pair,
      padBytes: padBytes[side],
      repeat: wanted / executions,
      barrier: null,
      stopAtFailure: true,
    });
    const failed = ended.find(({ exitCode }) => exitCode !== 0);
    if (failed !== undefined && !configOf(config, benchmark).ignoreFailure) {
      const how = failed.signal === null ? `status ${failed.exitCode}` : `signal ${failed.signal}`;
      const where = place === null ? '' : ` under ${samplers[side].name}`;
      throw new DeadheatError(
        'RUN_FAILED',
        `${side} ended with ${how}${where}: ${benchmark.commands[side].commandLine}\n${stderr.trim().slice(-500)}`.trim(),
      );
    }
    await this.#hook(side, 'conclude');
    return ended;
  }

  async #hook(side: Side, name: 'prepare' | 'conclude'): Promise<void> {
    const line = this.#benchmark.hooks[side][name];
    if (line === null) return;
    const cwd = this.#benchmark.workingDirectory[side];
    const environment = { ...programEnvironment(side, this.#benchmark, this.#subject.inherited) };
    const { status, tail } = await runProgram(['/bin/sh', '-c', line], {
      environment,
      ...(cwd === null ? {} : { cwd }),
    });
    if (status === 0) return;
    throw new DeadheatError(
      'RUN_FAILED',
      `the ${name} command of ${side} ended with status ${status}: ${line}\n${tail}`,
    );
  }

  /** Variables of a program that times itself: both sides make the same number of iterations. */
  #protocol(side: Side): Readonly<Record<string, string>> {
    const { config, folder } = this.#subject;
    if (!workloadFacts[this.#benchmark.workload].protocol) return {};
    const { iterations } = configOf(config, this.#benchmark);
    const calibration = join(folder, 'calibration');
    mkdirSync(calibration, { recursive: true });
    const record = join(folder, `record-${side}.jsonl`);
    rmSync(record, { force: true });
    return {
      DEADHEAT_CALIBRATION: calibration,
      DEADHEAT_RECORD: record,
      ...(iterations === null ? {} : { DEADHEAT_ITERATIONS: String(iterations) }),
    };
  }

  #noSamples(side: Side): DeadheatError {
    const { name } = this.#subject.samplers[side];
    const { commandLine } = this.#benchmark.commands[side];
    return new DeadheatError(
      'PROFILE_MISSING',
      `${name} took no sample of ${side} (${commandLine}): the program ended without an exit of its own, or drops the variables that ` +
        'start the sampler. Start the interpreter itself, and end by returning from the main program.',
    );
  }
}

function atLeastOne(executions: number): number {
  return Math.min(mostExecutions, Math.max(1, Math.ceil(executions)));
}

function cpuOf(execution: Execution | undefined): number {
  return ((execution?.userNs ?? 0) + (execution?.systemNs ?? 0)) / 1e9;
}
