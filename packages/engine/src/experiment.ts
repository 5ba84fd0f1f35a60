import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Commits, EngineEvent, Experiment, ExperimentConfig, Machine, Warning } from '@deadheat/model';
import { getAffinity, hasNativeCalls, sharedMemoryDirectory } from '@deadheat/sync';
import { canonicalJson } from './canonical-json.ts';
import { checkParts } from './check-parts.ts';
import { comparableConfig } from './comparable-config.ts';
import { EngineError } from './engine-error.ts';
import { chooseCpus, hostId, machineWarnings, readMachine, readOnlineCpus, readSmtSiblings } from './host/index.ts';
import { checkSameImages, lookAtContainers, type FoundContainers } from './look-at-containers.ts';
import { chooseMethod, findDuetObstacle, type Abilities, type DuetObstacle, type Part } from './plan/index.ts';
import { createRecording, openRecording, ownIdentityText } from './record/index.ts';
import { ContainerExecutor, NativeExecutor, PortableExecutor, type Executor } from './run/index.ts';
import { runSession } from './session.ts';
import type { SessionResult } from './session-result.ts';

/** A configuration before this machine was looked at. */
export interface ExperimentDraft extends Omit<ExperimentConfig, 'cpus'> {
  /** CPUs that the user asked for; `null` = choose. */
  readonly cpus: readonly number[] | null;
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
  const abilities = lookAround();
  const { config: fitted, machine, warnings } = await fitToMachine(draft, abilities);
  const containers = await lookAtContainers(fitted.benchmarks, fitted.engine);
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
    const executor = await startExecutor(experiment, { abilities, containers, folder: recording.directory });
    return await runSession({ experiment, recording, recorded: [], executor, signal, onEvent });
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
  return fitToMachine(draft, lookAround());
}

/** What keeps this machine from duets, so that `fitExperiment` takes `sequential` instead; `null` when nothing does. */
export function duetObstacleHere(): DuetObstacle | null {
  return findDuetObstacle(lookAround());
}

/** As `fitExperiment`, for abilities that are known. */
export async function fitToMachine(draft: ExperimentDraft, abilities: Abilities): Promise<FittedExperiment> {
  const { method, warnings } = chooseMethod(draft.method, abilities);
  const benchmarks = draft.benchmarks.map((benchmark) => {
    const { method: wanted } = benchmark.own;
    return wanted === undefined
      ? benchmark
      : { ...benchmark, own: { ...benchmark.own, method: chooseMethod(wanted, abilities).method } };
  });
  const cpus = pickCpus(draft, abilities);
  const config: ExperimentConfig = { ...draft, method, benchmarks, cpus };
  const machine = await readMachine({ usableCpus: abilities.usableCpus, cpus });
  return { config, machine, warnings: [...warnings, ...warningsFor(machine, config)] };
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
    const abilities = lookAround();
    checkSameMachine(experiment);
    checkSameAbilities(experiment, abilities);
    checkFolders(experiment);
    const containers = await lookAtContainers(experiment.config.benchmarks, experiment.config.engine);
    if (containers !== null) checkSameImages(experiment.containers, containers.facts);
    const executor = await startExecutor(experiment, { abilities, containers, folder: writer.directory });
    return await runSession({ experiment, recording: writer, recorded: trials, executor, signal, onEvent });
  } finally {
    writer.close();
  }
}

/** What this machine offers. */
export function lookAround(): Abilities {
  return {
    usableCpus: getAffinity(),
    sharedMemory: sharedMemoryDirectory() !== null,
    nativeCalls: hasNativeCalls(),
  };
}

/** A core for each side; on a machine with one, both sides get it, one after the other. */
export function pickCpus(
  draft: Pick<ExperimentDraft, 'cpus'>,
  { usableCpus }: Abilities,
): readonly [number, number] & [number, number] {
  const choice = chooseCpus({
    usableCpus,
    smtSiblingsOf: (cpu) => readSmtSiblings(cpu),
    onlineCpus: readOnlineCpus(),
    ...(draft.cpus === null ? {} : { requested: draft.cpus }),
  });
  const only = usableCpus[0] ?? 0;
  return choice.cpus === null ? [only, only] : [choice.cpus[0], choice.cpus[1]];
}

function warningsFor(machine: Machine, config: ExperimentConfig): readonly Warning[] {
  return machineWarnings(machine, { cpus: config.cpus });
}

interface ExecutorFacts {
  readonly abilities: Abilities;
  readonly containers: FoundContainers | null;
  /** The recording's. */
  readonly folder: string;
}

/** What runs the programs of an experiment here. */
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
  const { method, warnings } = chooseMethod(config.method, abilities);
  if (method !== config.method) {
    throw new EngineError('CANNOT_RESUME_HERE', `This experiment cannot go on here: ${warnings[0]?.message ?? ''}`);
  }
  const missing = config.cpus.filter((cpu) => !abilities.usableCpus.includes(cpu));
  if (missing.length > 0) {
    throw new EngineError(
      'CANNOT_RESUME_HERE',
      `This experiment cannot go on here: it ran on CPUs ${config.cpus.join(' and ')}, and CPU ${missing.join(', ')} ` +
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
