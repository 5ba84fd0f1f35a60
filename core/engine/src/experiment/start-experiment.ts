import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeadheatError,
  type Commits,
  type EngineEvent,
  type Experiment,
  type Machine,
  type ExperimentConfig,
  type ProgramFacts,
  type Failure,
  type Trial,
  type Warning,
} from '@deadheat/model';
import {
  createRecording,
  openRecording,
  TrialRecords,
  type RecordingWriter,
  makeArtifactFolder,
} from '@deadheat/recording';
import { monotonicNowNs } from '@deadheat/sync';
import { canonicalJson, chooseMethod, type Abilities } from '../plan/choose-method.ts';
import { OutputChecks } from './output-checks.ts';
import { checkParts, type ExperimentDraft, fitToMachine, readAbilities } from './fit-experiment.ts';
import { comparableConfig } from '../recorded/merge-recordings.ts';
import { hostId } from '../host/read-machine.ts';
import { NoiseProbes } from '../host/noise-probe.ts';
import { checkSameImages, definePrograms, findContainers, startExecutors } from './executors.ts';
import { type Part, shareOf } from '../plan/part-of-runs.ts';
import { giveUpAfterNs } from '../plan/stop.ts';
import { type SessionResult, ExperimentState, type Outcome } from './experiment-state.ts';
import type { Executor } from '../run/executor.ts';
import { runArtifact } from '../run/hooks.ts';
import { TrialRunner, SetUpGroups } from './trial-runner.ts';
import { Schedule } from './schedule.ts';
import { elapsedNsOf, type RunPlace, type BenchmarkState } from './benchmark-state.ts';

interface Control {
  /** Describes the files of the programs, after the last run; absent = they are not kept. */
  readonly describePrograms?: ((benchmarks: ExperimentConfig['benchmarks']) => ProgramFacts) | undefined;
  /** Ends the experiment in order; recorded runs stay and are analysed. */
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
  /** The name of this machine in the recording; `null` = the experiment's name for it, or from its host name and its boot. */
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
  const { draft, tool, directory, parent, signal, onEvent, part, describePrograms } = options;
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
    ...(part === undefined ? {} : divided(part, { machine, draft })),
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
    return await runSession({ experiment, recording, recorded: [], executors, signal, onEvent, describePrograms });
  } finally {
    recording.close();
  }
}

/** The fields by which the recording of a part differs from that of a whole experiment. */
function divided(
  { host, ...part }: PartOptions,
  { machine, draft }: { readonly machine: Machine; readonly draft: ExperimentDraft },
): Pick<Experiment, 'hosts' | 'parts'> {
  const { index, count } = part;
  return {
    hosts: [{ id: host ?? shareOf(part, draft).name ?? hostId(machine.hostname), machine, labels: {} }],
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
  const { directory, signal, onEvent, describePrograms } = options;
  const { recording, writer } = await openRecording(directory, { packed: true });
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
    return await runSession({
      experiment,
      recording: writer,
      recorded: trials,
      executors,
      signal,
      onEvent,
      describePrograms,
    });
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

interface SessionOptions extends Control {
  readonly experiment: Experiment;
  readonly recording: RecordingWriter;
  /** Trials that were recorded before; empty unless the experiment is resumed. */
  readonly recorded: readonly Trial[];
  /** One executor for each run that may be in flight at the same time, at least one; each executes one run at a time. */
  readonly executors: readonly Executor[];
}

/**
 * Runs an experiment to its end: trials in randomised rounds over all benchmarks that still need runs, each journalled
 * before its lane begins the next; then the analysis. Here plan, run, record, host and analysis meet.
 */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const session = new Session(options);
  return session.run();
}

class Session {
  readonly #options: SessionOptions;
  readonly #config: ExperimentConfig;
  readonly #experimentState: ExperimentState;
  /** Ends the runs in flight after one that failed. */
  readonly #halt = new AbortController();
  #outOfTime = false;
  readonly #beganNs = monotonicNowNs();
  /** Time of the runs that were recorded before, ns. */
  readonly #recordedNs: number;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#config = options.experiment.config;
    this.#experimentState = new ExperimentState(options);
    this.#recordedNs = options.recorded.reduce((sum, trial) => sum + elapsedNsOf(trial, this.#config), 0);
  }

  async run(): Promise<SessionResult> {
    const { experiment, recording, executors, signal, recorded } = this.#options;
    function abort(): void {
      for (const executor of executors) executor.abort();
    }
    const ended = AbortSignal.any([signal, this.#halt.signal]);
    ended.addEventListener('abort', abort);
    const probes = new NoiseProbes();
    const { files, stabilities } = this.#experimentState;
    const setUps = new SetUpGroups();
    const outputs = new OutputChecks();
    const trialRunners = executors.map(
      (executor) =>
        new TrialRunner({
          executor,
          files,
          stabilities,
          setUps,
          outputs,
          probes,
          host: experiment.hosts?.[0]?.id ?? null,
          quotesOutput: true,
        }),
    );
    let failures: readonly Failure[];
    try {
      await this.#experimentState.begin();
      await definePrograms(executors, this.#config.benchmarks);
      if (recorded.length === 0)
        this.#experimentState.warn(await keepArtifacts(this.#config, { directory: recording.directory, signal }));
      failures = await this.#rounds(trialRunners, ended);
      const { describePrograms } = this.#options;
      if (describePrograms !== undefined)
        await this.#experimentState.describe(describePrograms(this.#config.benchmarks));
      const uncleaned = (await trialRunners[0]?.cleanUp(signal)) ?? [];
      if (failures.length === 0) failures = uncleaned;
      if (signal.aborted) {
        this.#experimentState.warn(uncleaned.map(({ message }) => ({ code: 'INTERRUPTED', message })));
      }
    } finally {
      probes.close();
      ended.removeEventListener('abort', abort);
      await Promise.all(executors.map(async (executor) => executor.close()));
    }
    return this.#experimentState.finish(this.#outcome(failures));
  }

  /**
   * Begins runs as lanes get free, until nothing needs one, or a run fails: then those in flight are ended and leave no trace.
   *
   * @throws what `ExperimentState.take` throws, when no run is in flight any longer
   */
  async #rounds(trialRunners: readonly TrialRunner[], ended: AbortSignal): Promise<readonly Failure[]> {
    const schedule = new Schedule(this.#config, this.#experimentState.benchmarkStates);
    const free = [...trialRunners];
    const flights = new Set<Promise<void>>();
    const failures: Failure[] = [];
    const errors: unknown[] = [];
    for (;;) {
      while (!ended.aborted && !this.#isOutOfTime()) {
        const next = schedule.next();
        const trialRunner = next === null ? undefined : free.pop();
        if (next === null || trialRunner === undefined) break;
        const flight = this.#trial(next, { trialRunner, ended })
          .then((why) => failures.push(...why))
          .catch((error: unknown) => errors.push(error))
          .then(() => {
            next.end();
            free.push(trialRunner);
            flights.delete(flight);
            if (failures.length + errors.length > 0) this.#halt.abort();
          });
        flights.add(flight);
      }
      if (flights.size === 0) break;
      await Promise.race(flights);
    }
    if (errors.length > 0) throw errors[0];
    return failures;
  }

  #isOutOfTime(): boolean {
    const { experimentTimeoutNs } = this.#config;
    if (experimentTimeoutNs === null) return false;
    this.#outOfTime ||= monotonicNowNs() - this.#beganNs + this.#recordedNs >= experimentTimeoutNs;
    return this.#outOfTime;
  }

  /** One run with its hooks. Returns why it failed; an interrupted run leaves no trace. */
  async #trial(
    { state, place: { phase, run, counting } }: { readonly state: BenchmarkState; readonly place: RunPlace },
    { trialRunner, ended }: { readonly trialRunner: TrialRunner; readonly ended: AbortSignal },
  ): Promise<readonly Failure[]> {
    const { config, runs, elapsedNs } = state;
    const lastNs = counting === true || runs >= config.leastRuns ? null : giveUpAfterNs(config);
    const result = await trialRunner.make(state, {
      phase,
      run,
      ...(counting === undefined ? {} : { counting }),
      number: this.#experimentState.takeNumber(),
      signal: ended,
      patienceNs: lastNs === null ? null : lastNs - elapsedNs,
    });
    switch (result.kind) {
      case 'not-run':
        return result.failures;
      case 'given-up':
        // Other lanes may have brought a result meanwhile.
        if (state.decision.kind === 'go-on') state.decision = { kind: 'given-up' };
        return [];
      case 'finished':
        return this.#experimentState.take(result);
    }
  }

  #outcome(failures: readonly Failure[]): Outcome {
    if (this.#options.signal.aborted) return { kind: 'interrupted' };
    if (failures.length > 0) return { kind: 'failed', failures };
    const { benchmarkStates } = this.#experimentState;
    const isWithoutResult = benchmarkStates.some(({ runs }) => runs < 2);
    if (benchmarkStates.some(({ decision }) => decision.kind === 'given-up') || (this.#outOfTime && isWithoutResult)) {
      return { kind: 'time-limit' };
    }
    return { kind: 'done' };
  }
}

/** Keeps the output of the experiment's artifact commands: `artifacts/<name>.txt` in the recording. */
async function keepArtifacts(
  { artifacts }: Pick<ExperimentConfig, 'artifacts'>,
  { directory, signal }: { readonly directory: string; readonly signal: AbortSignal },
): Promise<readonly Warning[]> {
  const commands = Object.entries(artifacts);
  if (commands.length === 0) return [];
  const folder = await makeArtifactFolder(directory);
  const warnings: Warning[] = [];
  for (const [name, commandLine] of commands) {
    if (signal.aborted) break;
    const why = await runArtifact(commandLine, { file: join(folder, `${name}.txt`), signal });
    if (why === null) continue;
    const message = `The artifact '${name}' is not complete (${why}); try it by hand: ${commandLine}`;
    warnings.push({ code: 'ARTIFACT_FAILED', message });
  }
  return warnings;
}
