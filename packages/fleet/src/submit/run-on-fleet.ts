import { randomBytes } from 'node:crypto';
import { fitExperiment, CollectedRuns, type ExperimentDraft, type Outcome, type SessionResult } from '@deadheat/engine';
import type { Commits, EngineEvent, Experiment, ExperimentConfig, Failure } from '@deadheat/model';
import type { Code } from '../code.ts';
import { checkFleetUrl } from '../database/link.ts';
import { FleetError } from '../fleet-error.ts';
import { checkWorkers, usableWorkers, type HostWish } from './choose-hosts.ts';
import { Dispatcher } from './dispatcher.ts';
import { readFleetFile, writeFleetFile } from './fleet-file.ts';
import { follow, type SubmitEvent } from './follow.ts';

interface Control {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly toolVersion: string;
  /** Cancels the experiment; finished runs are kept and analysed. */
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
  readonly onFleetEvent: (event: SubmitEvent) => void;
}

export interface RunOnFleetOptions extends Control {
  /** The fleet's database. */
  readonly url: string;
  readonly draft: ExperimentDraft;
  readonly code: Code;
  readonly wish: Pick<HostWish, 'hosts' | 'labels' | 'excluded'>;
  /** Number of other hosts that must confirm a slower benchmark; `null` = none. */
  readonly confirm: number | null;
  /** Folder for the recording; `null` = a new one below `parent`. */
  readonly directory: string | null;
  readonly parent: string;
  readonly toolName: string;
  readonly commits?: Commits;
}

/**
 * Executes the runs of an experiment on the workers of a fleet, gathers them into a recording here, and analyses it.
 *
 * @throws FleetError `BAD_URL`, `NO_SCHEMA`, `OLDER_SCHEMA`, `NEWER_SCHEMA`, `NO_WORKERS`, `OTHER_VERSION`,
 *   `RUN_REFUSED`; HistoryError when the database cannot be reached at the beginning, or refuses; RecordError when the
 *   recording cannot be written
 */
export async function runOnFleet(options: RunOnFleetOptions): Promise<SessionResult> {
  const { url, draft, code, directory, parent, toolName, toolVersion, onEvent, commits, confirm } = options;
  checkFleetUrl(url);
  const wish: HostWish = { ...options.wish, toolVersion };
  // A worker executes one run at a time, whatever the number of cores here.
  const fitted = await fitExperiment({ ...draft, lanes: 1 });
  const experiment: Experiment = {
    schema: 'deadheat.experiment/1',
    id: randomBytes(8).toString('hex'),
    startedAt: new Date().toISOString(),
    tool: { name: toolName, version: toolVersion },
    config: spread({
      ...fitted.config,
      method: draft.method,
      pilotRuns: draft.pilotRuns,
      benchmarks: draft.benchmarks,
      lanes: 1,
    }),
    machine: fitted.machine,
    // The file is written first, so that this machine does not continue an interrupted experiment by itself.
    hosts: [],
    ...(commits === undefined ? {} : { commits }),
    warnings: [],
  };
  return withDispatcher(experiment.id, options, async (dispatcher, followed) => {
    const workers = await dispatcher.workers();
    checkWorkers(workers, { ...wish, hosts: (wish.hosts ?? 1) + (confirm ?? 0) }, url);
    // Hosts that confirm must not measure before.
    const hosts = confirm === null ? wish.hosts : (wish.hosts ?? usableWorkers(workers, wish).length - confirm);
    const collected = await CollectedRuns.begin({ experiment, directory, parent, onEvent });
    try {
      writeFleetFile(collected.directory, { url, hosts, labels: wish.labels, excluded: wish.excluded, confirm });
      await dispatcher.submit(experiment, { code, toolVersion });
      return await conclude(collected, dispatcher, () =>
        followAll(collected, { followed, wish: { ...wish, hosts }, confirm }),
      );
    } finally {
      collected.close();
    }
  });
}

/**
 * Continues an experiment of a fleet whose submitter ended.
 *
 * @throws as `runOnFleet`; FleetError `NOT_FOUND`, `EXPERIMENT_OVER`; RecordError as `openRecording`
 */
export async function resumeOnFleet({
  directory,
  ...control
}: Control & { readonly directory: string }): Promise<SessionResult> {
  const { url, hosts, labels, excluded, confirm } = readFleetFile(directory);
  const wish: HostWish = { hosts, labels, excluded, toolVersion: control.toolVersion };
  const collected = await CollectedRuns.resume(directory, control.onEvent);
  try {
    return await withDispatcher(collected.experiment.id, { ...control, url }, async (dispatcher, followed) => {
      await dispatcher.reopen();
      return conclude(collected, dispatcher, () => followAll(collected, { followed, wish, confirm }));
    });
  } finally {
    collected.close();
  }
}

/**
 * Changes core trading in pairs of runs to a random draw for each run, because both runs of a pair would have to be
 * executed by one host.
 */
function spread(config: ExperimentConfig): ExperimentConfig {
  return {
    ...config,
    swap: config.swap === 'pair' ? 'run' : config.swap,
    benchmarks: config.benchmarks.map((benchmark) =>
      benchmark.own.swap === 'pair' ? { ...benchmark, own: { ...benchmark.own, swap: 'run' } } : benchmark,
    ),
  };
}

type Followed = (collected: CollectedRuns, wish: HostWish) => ReturnType<typeof follow>;

/** The runs that stop rules ask for, and then those of other hosts that confirm. */
async function followAll(
  collected: CollectedRuns,
  {
    followed,
    wish,
    confirm,
  }: { readonly followed: Followed; readonly wish: HostWish; readonly confirm: number | null },
): ReturnType<typeof follow> {
  const end = await followed(collected, wish);
  if (confirm === null || end.kind !== 'done' || !collected.beginConfirmation()) return end;
  return followed(collected, { ...wish, hosts: confirm, excluded: [...wish.excluded, ...collected.hosts] });
}

async function withDispatcher<T>(
  id: string,
  { url, variables, signal, onFleetEvent }: Control & { readonly url: string },
  work: (dispatcher: Dispatcher, followed: Followed) => Promise<T>,
): Promise<T> {
  let wake: () => void = () => {};
  let forgive: () => void = () => {};
  const giveUp = new AbortController();

  // After an interruption what is under way is cancelled, if the database answers soon.
  function end(): void {
    wake();
    setTimeout(() => giveUp.abort(), endPatienceMs).unref();
  }

  signal.addEventListener('abort', end);
  const dispatcher = await Dispatcher.open(id, {
    url,
    variables,
    signal: giveUp.signal,
    onChange: () => wake(),
    onLost: ({ message }) => onFleetEvent({ kind: 'connection-lost', message }),
    onFound: () => {
      forgive();
      onFleetEvent({ kind: 'connection-found' });
    },
  });
  try {
    return await work(dispatcher, (collected, wish) =>
      follow({
        collected,
        dispatcher,
        wish,
        signal,
        onFleetEvent,
        onWake: (handler) => {
          wake = handler;
        },
        onForgive: (handler) => {
          forgive = handler;
        },
      }),
    );
  } finally {
    signal.removeEventListener('abort', end);
    await dispatcher.close();
  }
}

const endPatienceMs = 5000;

async function conclude(
  collected: CollectedRuns,
  dispatcher: Dispatcher,
  followed: () => ReturnType<typeof follow>,
): Promise<SessionResult> {
  const end = await followed();
  const ended = {
    done: 'done',
    'time-limit': 'done',
    failed: 'failed',
    refused: 'failed',
    interrupted: 'cancelled',
  } as const;
  const failure =
    end.kind === 'refused' ? end.message : end.kind === 'failed' ? (end.failures[0]?.message ?? null) : null;
  try {
    await dispatcher.end(ended[end.kind], failure);
  } catch (error) {
    // An interruption is not to wait for a database that is away; the experiment is cancelled by hand then.
    if (end.kind !== 'interrupted') throw error;
  }
  if (end.kind === 'refused' && collected.isEmpty) {
    throw new FleetError('RUN_REFUSED', `A worker could not make a run: ${end.message}`);
  }
  return collected.finish(toOutcome(end));
}

function toOutcome(end: Awaited<ReturnType<typeof follow>>): Outcome {
  if (end.kind !== 'refused') return end;
  const failure: Failure = { side: 'A', code: 'NOT_STARTED', message: end.message };
  return { kind: 'failed', failures: [failure] };
}
