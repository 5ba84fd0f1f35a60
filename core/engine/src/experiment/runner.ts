import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DeadheatError,
  lanesOf,
  configOf,
  sides,
  type Experiment,
  type ExperimentConfig,
  type Machine,
  type Method,
  type Side,
  type Trial,
  type Warning,
} from '@deadheat/model';
import { getAffinity, hasNativeCalls, setProcessAffinity } from '@deadheat/sync';
import { OutputChecks } from './output-checks.ts';
import { fitToMachine, readAbilities, pickCpus } from './fit-experiment.ts';
import { definePrograms, startExecutors, findContainers, type GuestRules } from './executors.ts';
import { NoiseProbes } from '../host/noise-probe.ts';
import { readMachine } from '../host/read-machine.ts';
import { type TrialResult, TrialRunner, SetUpGroups } from './trial-runner.ts';
import { findObstacle, type Abilities } from '../plan/choose-method.ts';
import { giveUpAfterNs } from '../plan/stop.ts';
import { makeFolder, TrialRecords } from '@deadheat/recording';
import type { Executor } from '../run/executor.ts';
import { Stabilities } from './stabilities.ts';
import { createBenchmarkStates, type RunPlace, type BenchmarkState } from './benchmark-state.ts';

export interface RunnerOptions {
  /** The experiment as it was begun elsewhere; its programs as they are here. */
  readonly experiment: Experiment;
  /** Folder for the records of the programs during a run. */
  readonly directory: string;
  /** CPUs for the sides; `null` = choose. */
  readonly cpus: readonly number[] | null;
  /** CPU that this process keeps to while a run is timed; `null` = one that no side runs on, where there is one. */
  readonly ownCpu: number | null;
  /** The most runs at the same time; `null` = as many as the experiment asks for and this machine has cores for. */
  readonly mostLanes: number | null;
  readonly guests: GuestRules;
}

/** A run that another process's recording lacks. */
export interface WantedRun extends RunPlace {
  /** Its method; `null` = it is a pilot run, whose method the choice of methods decides. */
  readonly method: Method | null;
}

/** The result of a run for another process's recording. */
export interface ForeignRun {
  readonly kind: 'finished';
  /** Its number and the names of its records are of no meaning elsewhere. */
  readonly trial: Trial;
  /** Records that the sides wrote themselves; `null` = the runner timed them. */
  readonly records: Readonly<Record<Side, string | null>>;
  readonly isCut: boolean;
  readonly warnings: readonly Warning[];
}

/** Makes runs of an experiment whose recording is elsewhere, in any order. */
export interface Runner {
  /** This machine, with the CPUs that the sides run on. */
  readonly machine: Machine;
  /** Runs that may be in flight at the same time, each on cores of its own. */
  readonly lanes: number;
  /**
   * True if a run may be in flight beside others of its kind: a tandem whose programs were set up and executed here before. Every
   * other run has the machine to itself.
   */
  mayShare(wanted: WantedRun): boolean;
  /**
   * Makes a run; before the first measured one of a benchmark its warm-up runs, of which nothing is kept.
   *
   * @throws DeadheatError `CANNOT_RUN_HERE` when this machine lacks what the method of the run needs; RecordError `DISK_FULL`,
   *   `NOT_WRITABLE` or `IO`
   */
  run(
    wanted: WantedRun,
    signal: AbortSignal,
  ): Promise<ForeignRun | Exclude<TrialResult, { readonly kind: 'finished' }>>;
  /** Executes the cleanup hooks of all benchmarks that were set up, and ends the launchers. */
  close(): Promise<void>;
}

/**
 * Makes ready what runs of an experiment need on this machine.
 *
 * @throws DeadheatError `CANNOT_RUN_HERE` when this machine lacks what a method needs; DeadheatError for CPUs that cannot be used;
 *   ContainerError when there is no engine or image; SyncError when the launchers cannot work here
 */
export async function openRunner({
  experiment,
  directory,
  cpus,
  ownCpu,
  mostLanes,
  guests,
}: RunnerOptions): Promise<Runner> {
  const here = readAbilities();
  const allCpus = home ?? here.usableCpus;
  const usableCpus = allCpus.filter((cpu) => cpu !== ownCpu);
  const abilities: Abilities = { ...here, usableCpus };
  const offered = cpus === null ? abilities : { ...abilities, usableCpus: cpus };
  checkMethods(experiment.config, offered);
  const lanes = askedLanes(experiment.config, pickCpus({ cpus }, abilities).tandemCpus.length);
  const { config: fitted, machine } = await fitToMachine({ ...experiment.config, cpus, lanes }, abilities, neverQuiet);
  const config = { ...fitted, lanes: Math.min(fitted.lanes, mostLanes ?? Infinity) };
  const containers = await findContainers(config.benchmarks, config.engine);
  await makeFolder(directory);
  const own = { ...experiment, config, machine };
  const executors = await startExecutors(own, { abilities, containers, folder: directory, guests });
  try {
    await definePrograms(executors, config.benchmarks);
  } catch (error) {
    await Promise.all(executors.map(async (executor) => executor.close()));
    throw error;
  }
  /** CPUs of the runs in flight. */
  const taken = new Set<number>();
  function stepAside(occupied: readonly number[]): () => void {
    for (const cpu of occupied) taken.add(cpu);
    const free = ownCpu === null ? allCpus.filter((cpu) => !taken.has(cpu)) : [ownCpu];
    const stepBack = free.length === 0 ? () => {} : stepTo(free);
    return () => {
      for (const cpu of occupied) taken.delete(cpu);
      stepBack();
    };
  }
  // Processes that a container engine starts must not inherit the CPU affinity of this process.
  const stepsAside = hasNativeCalls() && containers === null;
  return new LocalRunner({
    config,
    machine,
    abilities: offered,
    directory,
    executors,
    stepAside: stepsAside ? stepAside : null,
  });
}

/**
 * The facts of this machine, as a runner with these options would find them, and how many cores it has for tandems.
 *
 * @throws DeadheatError for CPUs that cannot be used
 */
export async function readOwnMachine({
  cpus,
  ownCpu,
}: Pick<RunnerOptions, 'cpus' | 'ownCpu'>): Promise<{ readonly machine: Machine; readonly cores: number }> {
  const here = readAbilities();
  const usableCpus = (home ?? here.usableCpus).filter((cpu) => cpu !== ownCpu);
  const picked = pickCpus({ cpus }, { ...here, usableCpus });
  return { machine: await readMachine({ usableCpus, cpus: picked.cpus }), cores: picked.tandemCpus.length };
}

/** Work of other experiments may come at any time. */
async function neverQuiet(): Promise<boolean> {
  return Promise.resolve(false);
}

/** Tandems at once that this machine is asked for; more than it can offer are as many as it can. */
function askedLanes({ workerLanes, benchmarks }: ExperimentConfig, cores: number): number | 'all' | null {
  if (benchmarks.some(({ containers }) => containers !== null)) return 1;
  return typeof workerLanes === 'number' ? Math.min(workerLanes, cores) : (workerLanes ?? null);
}

/** An executor of one run at a time beside the other lanes. */
interface Lane {
  /** The number in the names of its files, different for each lane. */
  readonly number: number;
  readonly executor: Executor;
  readonly trialRunner: TrialRunner;
  /** Cores for its tandems beside those of other lanes. */
  readonly tandemCpus: readonly number[];
}

class LocalRunner implements Runner {
  readonly machine: Machine;
  readonly lanes: number;
  readonly #abilities: Abilities;
  readonly #all: readonly Lane[];
  readonly #free: Lane[];
  /** Benchmarks of which a run was finished here. */
  readonly #begun = new Set<number>();
  readonly #directory: string;
  readonly #benchmarkStates: readonly BenchmarkState[];
  readonly #stabilities: Stabilities;
  readonly #probes: NoiseProbes;
  #config: ExperimentConfig;

  constructor(parts: {
    readonly config: ExperimentConfig;
    readonly machine: Machine;
    readonly abilities: Abilities;
    readonly directory: string;
    readonly executors: readonly Executor[];
    readonly stepAside: ((occupied: readonly number[]) => () => void) | null;
  }) {
    const { config, machine, abilities, directory, executors, stepAside } = parts;
    this.machine = machine;
    this.lanes = executors.length;
    this.#abilities = abilities;
    this.#config = config;
    this.#directory = directory;
    this.#benchmarkStates = createBenchmarkStates(config, [], undefined);
    this.#stabilities = new Stabilities(config);
    this.#probes = new NoiseProbes();
    const files = new TrialRecords(directory);
    const setUps = new SetUpGroups();
    const outputs = new OutputChecks();
    this.#all = executors.map((executor, number) => ({
      number,
      executor,
      tandemCpus: config.tandemCpus.filter((_, index) => index % executors.length === number),
      trialRunner: new TrialRunner({
        executor,
        files,
        stabilities: this.#stabilities,
        setUps,
        outputs,
        probes: this.#probes,
        host: null,
        quotesOutput: false,
        ...(stepAside === null ? {} : { stepAside }),
      }),
    }));
    this.#free = this.#all.toReversed();
  }

  mayShare({ benchmark, phase, method }: WantedRun): boolean {
    const stable = this.#benchmarkStates[benchmark]?.config.stable ?? null;
    // Stability that is followed from run to run needs them in order.
    const isOfKind = phase === 'measure' && method !== null && lanesOf(method, this.lanes) > 1 && stable === null;
    return isOfKind && this.#begun.has(benchmark);
  }

  async run(wanted: WantedRun, signal: AbortSignal): ReturnType<Runner['run']> {
    const { benchmark, phase, run, method } = wanted;
    const state = this.#benchmarkStates[benchmark];
    if (state === undefined) throw new RangeError(`there is no benchmark ${benchmark}`);
    const lane = this.#free.pop();
    if (lane === undefined) throw new RangeError(`${this.lanes} runs are in flight already`);
    const { executor } = lane;

    function abort(): void {
      executor.abort();
    }

    signal.addEventListener('abort', abort);
    try {
      if (method !== null && state.config.method !== method) this.#use(method, state);
      const shares = this.mayShare(wanted);
      const warmupRuns = phase === 'measure' ? state.config.warmupRuns : 0;
      while (state.warmups < warmupRuns) {
        const place = { benchmark, phase: 'warmup', run: state.warmups } as const;
        const result = await this.#make(state, { place, lane, shares, signal });
        if (result.kind !== 'finished' || isFailed(result)) return result;
        state.warmups++;
      }
      const result = await this.#make(state, { place: { benchmark, phase, run }, lane, shares, signal });
      if (phase === 'measure' && result.kind === 'finished') this.#begun.add(benchmark);
      return result;
    } finally {
      signal.removeEventListener('abort', abort);
      this.#free.push(lane);
    }
  }

  /** Goes on with the method that pilot runs chose for a benchmark, wherever they were made. */
  #use(method: Method, state: BenchmarkState): void {
    checkMethod(state.benchmark.name, { method, abilities: this.#abilities });
    state.config = { ...state.config, method };
    state.benchmark = { ...state.benchmark, own: { ...state.benchmark.own, method } };
    const benchmarks = this.#config.benchmarks.map((other, entry) => (entry === state.index ? state.benchmark : other));
    this.#config = { ...this.#config, benchmarks };
    this.#stabilities.use(this.#config, state.index);
  }

  async #make(
    state: BenchmarkState,
    facts: { readonly place: RunPlace; readonly lane: Lane; readonly shares: boolean; readonly signal: AbortSignal },
  ): ReturnType<Runner['run']> {
    const { place, lane, shares, signal } = facts;
    const { phase, run } = place;
    const patienceNs = giveUpAfterNs(state.config);
    const config = shares ? { ...state.config, tandemCpus: [...lane.tandemCpus] } : state.config;
    const request = { phase, run, number: lane.number, signal, patienceNs };
    const result = await lane.trialRunner.make({ ...state, config }, request);
    if (result.kind !== 'finished') return result;
    const records: Record<Side, string | null> = { A: null, B: null };
    for (const side of sides) {
      const { record } = result.trial.sides[side];
      if (record !== null) records[side] = await readFile(join(this.#directory, record), 'utf8');
    }
    const { trial, isCut, warnings } = result;
    return { kind: 'finished', trial, records, isCut, warnings };
  }

  async close(): Promise<void> {
    try {
      await this.#all[0]?.trialRunner.cleanUp(new AbortController().signal);
    } finally {
      this.#probes.close();
      await Promise.all(this.#all.map(async ({ executor }) => executor.close()));
    }
  }
}

function isFailed({ trial: { failures }, isCut }: ForeignRun): boolean {
  return failures.length > 0 && !isCut;
}

/** CPUs of this process while it has stepped aside; `null` = it has not. */
let home: readonly number[] | null = null;
/** Runs that it has stepped aside for: several runners may be in one process. */
let away = 0;

/** Moves this process; gives what moves it back. */
function stepTo(cpus: readonly number[]): () => void {
  const before = home ?? getAffinity();
  home = before;
  away++;
  setProcessAffinity(cpus);
  return () => {
    away--;
    if (away > 0) return;
    home = null;
    setProcessAffinity(before);
  };
}

function checkMethods(config: ExperimentConfig, abilities: Abilities): void {
  for (const benchmark of config.benchmarks) {
    checkMethod(benchmark.name, { method: configOf(config, benchmark).method, abilities });
  }
}

/** A method that only some machines of an experiment used would compare machines, not programs. */
function checkMethod(
  benchmark: string,
  { method, abilities }: { readonly method: Method; readonly abilities: Abilities },
): void {
  const obstacle = findObstacle(method, abilities);
  if (obstacle === null) return;
  throw new DeadheatError(
    'CANNOT_RUN_HERE',
    `${benchmark} is measured by ${method}, which this machine cannot do. ${obstacle.why} ${obstacle.advice} Or leave this machine ` +
      'out, or measure by a method that every machine can offer.',
  );
}
