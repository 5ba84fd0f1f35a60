import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { DeadheatError, type Commits, type EngineEvent, type Experiment, type Machine } from '@deadheat/model';
import { canonicalJson } from '../plan/pilot-leaders.ts';
import { checkParts, type ExperimentDraft, fitToMachine, readAbilities } from './fit-experiment.ts';
import { comparableConfig } from '../recorded/comparable-config.ts';
import { hostId } from '../host/index.ts';
import { checkSameImages, findContainers, startExecutors } from './executors.ts';
import { chooseMethod, type Abilities, type Part } from '../plan/index.ts';
import { createRecording, openRecording, TrialRecords } from '@deadheat/recording';
import { runSession } from './session.ts';
import type { SessionResult } from './experiment-state.ts';

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
  /** The commits from which the sides were built, where they are known. */
  readonly commits?: Commits;
  /** The part of the runs to execute; absent = all of them. */
  readonly part?: PartOptions;
}

/** Which part of an experiment is made here. */
export interface PartOptions extends Part {
  /** Id of the whole experiment; `null` = made from the configuration with its seed. */
  readonly experiment: string | null;
  /** The name of this machine in the recording; `null` = from its host name and its boot. */
  readonly host: string | null;
}

/**
 * Plans an experiment for this machine, runs it and analyses it.
 *
 * @throws DeadheatError for CPUs that cannot be used; ContainerError when there is no engine or image; RecordError when the
 *   recording cannot be made or written; SyncError when the launchers cannot work here; DeadheatError `CANNOT_DIVIDE` for a part
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

/** The fields by which the recording of a part differs from that of a whole experiment. */
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

/**
 * Finishes a recorded experiment with the runs that are missing.
 *
 * @throws DeadheatError `CANNOT_RESUME_HERE` when this machine lacks what the experiment began with; ContainerError when
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

/** A recording of several machines can only be continued by the process that collects their runs. */
function checkSameMachine({ hosts, parts }: Experiment): void {
  if (hosts === undefined || (hosts.length === 1 && parts?.taken.length === 1)) return;
  if (hosts.length === 0) {
    throw new DeadheatError(
      'CANNOT_RESUME_HERE',
      'This experiment was meant for other machines, and ended before they received it. Start it again.',
    );
  }
  const advice =
    parts === undefined
      ? 'Continue it on the machine where it was started.'
      : 'Execute the missing parts on their own, and merge all parts again.';
  throw new DeadheatError('CANNOT_RESUME_HERE', `This recording holds runs of several machines. ${advice}`);
}

function checkSameAbilities({ config }: Experiment, abilities: Abilities): void {
  const { choice, warnings } = chooseMethod(config, abilities);
  if (choice.method !== config.method) {
    throw new DeadheatError('CANNOT_RESUME_HERE', `This experiment cannot go on here: ${warnings[0]?.message ?? ''}`);
  }
  const cpus = [...new Set([...config.cpus, ...config.tandemCpus, ...config.sequentialCpus])];
  const missing = cpus.filter((cpu) => !abilities.usableCpus.includes(cpu));
  if (missing.length > 0) {
    throw new DeadheatError(
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
    throw new DeadheatError(
      'CANNOT_RESUME_HERE',
      `This experiment cannot go on: it ran in ${gone}, which is not there now. A comparison of commits or packages is begun ` +
        'again by its command; what was built for it is kept.',
    );
  }
}
