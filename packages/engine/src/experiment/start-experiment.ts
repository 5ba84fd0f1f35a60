import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  configOf,
  methodFacts,
  type Benchmark,
  type Commits,
  type EngineEvent,
  type Experiment,
  type ExperimentConfig,
  type Machine,
  type Method,
  type Warning,
} from '@deadheat/model';
import { getAffinity, hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';
import { canonicalJson } from '../plan/pilot-leaders.ts';
import { checkParts } from './check-parts.ts';
import { comparableConfig, type MachineKey } from '../recorded/comparable-config.ts';
import { EngineError } from '../engine-error.ts';
import { chooseCpus, hostId, machineWarnings, readMachine, readOnlineCpus, readSmtSiblings } from '../host/index.ts';
import { checkSameImages, findContainers, type FoundContainers } from './find-containers.ts';
import { chooseMethod, findObstacle, type Abilities, type MethodObstacle, type Part } from '../plan/index.ts';
import { createRecording, openRecording, ownIdentityText, TrialRecords } from '../record/index.ts';
import { ContainerExecutor, NativeExecutor, PortableExecutor, type Executor } from '../run/index.ts';
import { runSession } from './session.ts';
import type { SessionResult } from './experiment-state.ts';

/** A configuration before this machine was looked at. */
export interface ExperimentDraft extends Omit<ExperimentConfig, MachineKey> {
  /** CPUs that the user asked for; `null` = choose. */
  readonly cpus: readonly number[] | null;
  /** Tandems at once that the user asked for; absent or `null` = as many as there are cores for them less one, at least one. */
  readonly lanes?: number | 'all' | null;
}

interface Control {
  /** Ends the experiment in order. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
}

export interface StartOptions extends Control {
  readonly draft: ExperimentDraft;
  /** Folder for the recording; `null` = a new one below `parent`. */
  readonly directory: string | null;
  readonly parent: string;
  readonly tool: { readonly name: string; readonly version: string };
  /** What the sides were made of, where that is known. */
  readonly commits?: Commits;
  /** Makes one part of the runs; absent makes all of them. */
  readonly part?: PartOptions;
}

/** Which part of an experiment is made here. */
export interface PartOptions extends Part {
  /** Id of the whole experiment; `null` = made from the configuration with its seed. */
  readonly experiment: string | null;
  /** What this machine is called in it; `null` = by its name and its boot. */
  readonly host: string | null;
}

/**
 * Plans an experiment for this machine, runs it and analyses it.
 *
 * @throws CpuError for CPUs that cannot be used; ContainerError when there is no engine or image; RecordError when the
 *   recording cannot be made or written; SyncError when the launchers cannot work here; EngineError `CANNOT_DIVIDE` for a part
 *   without runs
 */
export async function startExperiment(options: StartOptions): Promise<SessionResult> {
  const { draft, tool, directory, parent, signal, onEvent, part } = options;
  if (part !== undefined) checkParts(draft, part.count);
  const abilities = readAbilities();
  const { config: fitted, machine, warnings } = await fitToMachine(draft, abilities);
  const containers = await findContainers(fitted.benchmarks, fitted.engine);
  const config = { ...fitted, engine: containers?.engine.name ?? null };
  const startedAt = new Date().toISOString();
  const experiment: Experiment = {
    schema: 'deadheat.experiment/1',
    id: part === undefined ? randomBytes(8).toString('hex') : (part.experiment ?? experimentIdOf(draft)),
    startedAt,
    tool: { name: tool.name, version: tool.version },
    config,
    machine,
    ...(part === undefined ? {} : divided(part, machine)),
    ...(containers === null ? {} : { containers: containers.facts }),
    ...(options.commits === undefined ? {} : { commits: options.commits }),
    warnings: [...warnings],
  };
  const recording = await createRecording({
    ...(directory === null ? { parent } : { directory }),
    name: draft.name,
    startedAt,
    experiment,
  });
  try {
    const executors = await startExecutors(experiment, { abilities, containers, folder: recording.directory });
    return await runSession({ experiment, recording, recorded: [], executors, signal, onEvent });
  } finally {
    recording.close();
  }
}

/** What the recording of a part says beside that of a whole experiment. */
function divided({ index, count, host }: PartOptions, machine: Machine): Pick<Experiment, 'hosts' | 'parts'> {
  return {
    hosts: [{ id: host ?? hostId(machine.hostname), machine, labels: {} }],
    parts: { count, taken: [index], folder: process.cwd() },
  };
}

/** The same on every machine that has the same configuration. */
function experimentIdOf(draft: ExperimentDraft): string {
  const text = canonicalJson(comparableConfig(draft, process.cwd()));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** An experiment as this machine would run it. */
export interface FittedExperiment {
  readonly config: ExperimentConfig;
  readonly machine: Machine;
  readonly warnings: readonly Warning[];
}

/**
 * Chooses cores, and methods that this machine can offer; starts nothing.
 *
 * @throws CpuError for CPUs that cannot be used
 */
export async function fitExperiment(draft: ExperimentDraft): Promise<FittedExperiment> {
  return fitToMachine(draft, readAbilities());
}

/**
 * What keeps this machine from a method, so that `fitExperiment` takes another one instead; `null` when nothing does.
 *
 * @param cpus the CPUs that the user asked for; `null` = all that may be used
 */
export function obstacleHere(method: Method, cpus: readonly number[] | null = null): MethodObstacle | null {
  const here = readAbilities();
  return findObstacle(method, cpus === null ? here : { ...here, usableCpus: cpus });
}

/** As `fitExperiment`, for abilities that are known. */
export async function fitToMachine(draft: ExperimentDraft, abilities: Abilities): Promise<FittedExperiment> {
  const picked = pickCpus(draft, abilities);
  const offered: Abilities = draft.cpus === null ? abilities : { ...abilities, usableCpus: draft.cpus };
  const [first] = draft.benchmarks;
  const { choice, warnings } = chooseMethod(draft, offered, first?.workload);
  const benchmarks = draft.benchmarks.map((benchmark) => {
    const { own, workload } = benchmark;
    if (own.method === undefined && own.pilotRuns === undefined) return benchmark;
    const { method = draft.method, pilotRuns = draft.pilotRuns, fill = draft.fill } = own;
    const wanted = { method, pilotRuns, ...(fill ? { fill } : {}) };
    return { ...benchmark, own: { ...own, ...chooseMethod(wanted, offered, workload).choice } };
  });
  const single: ExperimentConfig = { ...draft, ...choice, benchmarks, ...picked, lanes: 1 };
  const config: ExperimentConfig = { ...single, lanes: chooseLanes(single, draft.lanes ?? null) };
  const machine = await readMachine({ usableCpus: abilities.usableCpus, cpus: config.cpus });
  return { config, machine, warnings: [...warnings, ...warningsFor(machine, config)] };
}

/**
 * How many tandems are run at once, no more than there are runs. Several only where nothing but the programs themselves could
 * meet: hooks of a run, containers and output at the terminal are for one run at a time, unless the user asks for lanes.
 *
 * @param asked by the user; `null` = as many as there are cores for them less one, at least one
 * @throws EngineError `TOO_MANY_LANES`
 */
function chooseLanes(config: ExperimentConfig, asked: number | 'all' | null): number {
  const { benchmarks, showOutput } = config;
  const cores = config.tandemCpus.length;
  const inContainers = benchmarks.some(({ containers }) => containers !== null);
  if (asked !== null && asked !== 1 && inContainers) {
    throw new EngineError('TOO_MANY_LANES', 'Containers run one tandem at a time. Leave --lanes out.');
  }
  if (typeof asked === 'number' && asked > cores) {
    throw new EngineError(
      'TOO_MANY_LANES',
      `${asked} tandems at once need ${asked} cores, and there ${cores === 1 ? 'is one' : `are ${cores}`} for them here. Ask for at most ${cores}, or for all.`,
    );
  }
  const most = Math.min(cores, mostTandems(config));
  if (asked !== null) return Math.max(1, Math.min(asked === 'all' ? cores : asked, most));
  function mayMeet({ hooks: { A, B } }: Benchmark): boolean {
    return [A, B].some(({ prepare, conclude }) => prepare !== null || conclude !== null);
  }
  if (inContainers || showOutput || benchmarks.some(mayMeet)) return 1;
  return Math.max(1, Math.min(cores - 1, most));
}

/** Most runs of an experiment that can be tandems; Infinity without a limit. */
function mostTandems(config: ExperimentConfig): number {
  return config.benchmarks.reduce((sum, benchmark) => {
    const { method, stop } = configOf(config, benchmark);
    if (method !== 'tandem') return sum;
    return sum + (stop.kind === 'runs' ? stop.runs : (stop.maxRuns ?? Infinity));
  }, 0);
}

/**
 * Finishes a recorded experiment with the runs that are missing.
 *
 * @throws EngineError `CANNOT_RESUME_HERE` when this machine lacks what the experiment began with; ContainerError when
 *   there is no engine or image; RecordError as
 *   `openRecording`
 */
export async function resumeExperiment(options: Control & { readonly directory: string }): Promise<SessionResult> {
  const { directory, signal, onEvent } = options;
  const { recording, writer } = await openRecording(directory);
  try {
    const { experiment, trials } = recording;
    const abilities = readAbilities();
    checkSameMachine(experiment);
    checkSameAbilities(experiment, abilities);
    checkFolders(experiment);
    const containers = await findContainers(experiment.config.benchmarks, experiment.config.engine);
    if (containers !== null) checkSameImages(experiment.containers, containers.facts);
    await new TrialRecords(writer.directory).dropUnfinished(trials);
    const executors = await startExecutors(experiment, { abilities, containers, folder: writer.directory });
    return await runSession({ experiment, recording: writer, recorded: trials, executors, signal, onEvent });
  } finally {
    writer.close();
  }
}

/** What this machine offers. */
export function readAbilities(): Abilities {
  return {
    usableCpus: getAffinity(),
    sharedMemory: sharedMemoryDirectory() !== null,
    nativeCalls: hasNativeCalls(),
  };
}

/**
 * The CPUs of an experiment, by what they are used for.
 *
 * @throws CpuError for CPUs that cannot be used
 */
export function pickCpus(
  draft: Pick<ExperimentDraft, 'cpus'>,
  { usableCpus }: Abilities,
): Pick<ExperimentConfig, 'cpus' | 'tandemCpus' | 'sequentialCpus'> {
  const { duet, tandem, alone } = chooseCpus({
    usableCpus,
    smtSiblingsOf: (cpu) => readSmtSiblings(cpu),
    onlineCpus: readOnlineCpus(),
    ...(draft.cpus === null ? {} : { requested: draft.cpus }),
  });
  return { cpus: duet, tandemCpus: [...tandem], sequentialCpus: [...alone] };
}

function warningsFor(machine: Machine, config: ExperimentConfig): readonly Warning[] {
  const hasDuet = config.benchmarks.some((benchmark) => {
    const { method, pilotRuns } = configOf(config, benchmark);
    return pilotRuns === 0 && methodFacts[method].cpus === 'one-each';
  });
  return machineWarnings(machine, { cpus: config.cpus, hasDuet });
}

interface ExecutorFacts {
  readonly abilities: Abilities;
  readonly containers: FoundContainers | null;
  /** The recording's. */
  readonly folder: string;
}

/** One executor a lane; those that were started are closed when another cannot be. */
async function startExecutors(experiment: Experiment, facts: ExecutorFacts): Promise<readonly Executor[]> {
  const lanes = Array.from({ length: experiment.config.lanes }, async () => startExecutor(experiment, facts));
  const begun = await Promise.allSettled(lanes);
  const executors = begun.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
  const failed = begun.find((start) => start.status === 'rejected');
  if (failed === undefined) return executors;
  await Promise.all(executors.map(async (executor) => executor.close()));
  throw failed.reason;
}

/** What runs the programs of an experiment here, one run at a time. */
export async function startExecutor(
  { id, config, machine }: Experiment,
  { abilities, containers, folder }: ExecutorFacts,
): Promise<Executor> {
  const output = config.showOutput ? 'inherit' : 'null';
  // Below two CPUs of quota, a side that spins would use up what the other needs.
  const wait = machine.cpuQuota !== null && machine.cpuQuota < 2 ? 'yield' : 'spin';
  if (containers !== null) {
    const { engine } = containers;
    return new ContainerExecutor({
      engine,
      experiment: id,
      owner: ownIdentityText(),
      folder: resolve(folder),
      output,
      wait,
    });
  }
  if (!abilities.nativeCalls) return new PortableExecutor({ output });
  return NativeExecutor.start({ output, wait });
}

/** What was gathered from several machines goes on by whoever gathers. */
function checkSameMachine({ hosts, parts }: Experiment): void {
  if (hosts === undefined || (hosts.length === 1 && parts?.taken.length === 1)) return;
  if (hosts.length === 0) {
    throw new EngineError(
      'CANNOT_RESUME_HERE',
      'This experiment was to be made by other machines, and ended before it was given to them. Begin it again.',
    );
  }
  const advice =
    parts === undefined
      ? 'Finish it where it was begun.'
      : 'Make the missing parts with deadheat run --part, and merge again with deadheat merge.';
  throw new EngineError('CANNOT_RESUME_HERE', `This recording holds runs of several machines. ${advice}`);
}

function checkSameAbilities({ config }: Experiment, abilities: Abilities): void {
  const { choice, warnings } = chooseMethod(config, abilities);
  if (choice.method !== config.method) {
    throw new EngineError('CANNOT_RESUME_HERE', `This experiment cannot go on here: ${warnings[0]?.message ?? ''}`);
  }
  const cpus = [...new Set([...config.cpus, ...config.tandemCpus, ...config.sequentialCpus])];
  const missing = cpus.filter((cpu) => !abilities.usableCpus.includes(cpu));
  if (missing.length > 0) {
    throw new EngineError(
      'CANNOT_RESUME_HERE',
      `This experiment cannot go on here: it ran on CPUs ${cpus.join(', ')}, and CPU ${missing.join(', ')} ` +
        `may not be used now (usable: ${abilities.usableCpus.join(', ')}). Resume it where it was begun.`,
    );
  }
}

/** Folders of commits and packages are given back when their comparison ends. */
function checkFolders({ config }: Experiment): void {
  for (const { workingDirectory, containers } of config.benchmarks) {
    const gone = Object.values(workingDirectory).find((folder) => folder !== null && !existsSync(folder));
    if (gone === undefined || gone === null || containers !== null) continue;
    throw new EngineError(
      'CANNOT_RESUME_HERE',
      `This experiment cannot go on: it ran in ${gone}, which is not there now. A comparison of commits or packages is begun ` +
        'again by its command; what was built for it is kept.',
    );
  }
}
