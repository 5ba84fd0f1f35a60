import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CollectedRuns, type ExperimentDraft, fitExperiment, type SessionResult } from '@deadheat/engine';
import {
  type Commits,
  DeadheatError,
  type EngineEvent,
  type Experiment,
  type ExperimentConfig,
  recordingFiles,
  stopRuleOf,
} from '@deadheat/model';
import { writeNamedFile } from '@deadheat/recording';
import type { DetachedExperiment } from 'deadheat/internals';
import { z } from 'zod';
import type { Code } from '../code.ts';
import { Bell, checkFleetUrl } from '../database/link.ts';
import { FleetError } from '../fleet-error.ts';
import { Dispatcher, type HostWish } from './dispatcher.ts';
import { checkWorkers, follow, type FollowedEnd, Liveness, type SubmitEvent, usableWorkers } from './follow.ts';

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
  readonly wish: Pick<HostWish, 'hosts' | 'labels' | 'excluded'> & Partial<Pick<HostWish, 'pinned'>>;
  /** The runs of experiments with a higher one are taken first; 0 unless set. */
  readonly priority?: number;
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
 * @throws FleetError `BAD_URL`, `NO_SCHEMA`, `NEWER_SCHEMA`, `NO_WORKERS`, `OTHER_VERSION`,
 *   `RUN_REFUSED`; HistoryError when the database cannot be reached at the beginning, or refuses; RecordError when the
 *   recording cannot be written
 */
export async function runOnFleet(options: RunOnFleetOptions): Promise<SessionResult> {
  return withSubmitted(options, { detaches: false }, async ({ collected, dispatcher, followed, wish }) => {
    const end = await followAll(collected, { followed, wish, confirm: options.confirm });
    return conclude(end, { collected, dispatcher });
  });
}

/**
 * Puts all runs of an experiment into the queues, and leaves them to the workers, which take over the runs of those that are lost; where
 * pilot runs choose a method, once they have. `resumeOnFleet` gathers the results.
 *
 * @throws as `runOnFleet`; FleetError `CANNOT_DETACH` for a stop rule without a largest number of runs, `RUN_REFUSED` also where a
 *   pilot run fails
 */
export async function detachOnFleet(options: RunOnFleetOptions): Promise<DetachedExperiment> {
  checkBounded(options.draft);
  return withSubmitted(options, { detaches: true }, async ({ collected, dispatcher, followed, wish }) => {
    const { directory, experiment } = collected;
    const end = await followed(collected, { wish, detaches: true });
    const detached = { directory, experiment: experiment.id };
    if (end.kind === 'detached' || end.kind === 'done') return { ...detached, isLeft: true };
    const { outcome } = await conclude(end, { collected, dispatcher });
    if (outcome.kind === 'interrupted') return { ...detached, isLeft: false };
    const why = outcome.kind === 'failed' ? (outcome.failures[0]?.message ?? '') : 'the time limit has passed';
    throw new FleetError(
      'RUN_REFUSED',
      `The experiment ended before it was left to the workers: ${why}. What there is lies in ${directory}`,
    );
  });
}

/** @throws FleetError `CANNOT_DETACH` */
function checkBounded({ benchmarks, stop }: ExperimentDraft): void {
  const unbounded = benchmarks.find(({ own }) => stopRuleOf(own.stop ?? stop).mostRuns === Infinity);
  if (unbounded === undefined) return;
  throw new FleetError(
    'CANNOT_DETACH',
    `${unbounded.name} cannot be left to the workers: how many runs it gets is known only at its end, and nobody would ask for more. ` +
      'Give it a number of runs in the file, as runs: 40, or a largest one, as max-runs: 100; nothing was submitted.',
  );
}

interface Submitted {
  readonly collected: CollectedRuns;
  readonly dispatcher: Dispatcher;
  readonly followed: Followed;
  readonly wish: HostWish;
}

/** Submits an experiment, and gives it to `work` with its recording, which is closed afterwards. */
async function withSubmitted<T>(
  options: RunOnFleetOptions,
  { detaches }: { readonly detaches: boolean },
  work: (submitted: Submitted) => Promise<T>,
): Promise<T> {
  const { url, draft, code, directory, parent, toolName, toolVersion, onEvent, commits, confirm } = options;
  checkFleetUrl(url);
  if (draft.benchmarks.some(({ own }) => (own.sameOutput ?? draft.sameOutput) === true)) {
    throw new DeadheatError(
      'OUTPUTS_NOT_SEEN',
      'same-output was asked for, but workers of a fleet do not compare what programs print. Leave it out, or compare them here; nothing was submitted.',
    );
  }
  const wish: HostWish = { pinned: [], ...options.wish, toolVersion };
  // Each worker has lanes of its own, whatever the number of cores here.
  const fitted = await fitExperiment({ ...draft, lanes: 1 });
  const { lanes } = draft;
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
      ...(lanes == null ? {} : { workerLanes: lanes }),
    }),
    machine: fitted.machine,
    // The file is written first, so that this machine does not continue an interrupted experiment by itself.
    hosts: [],
    ...(commits === undefined ? {} : { commits }),
    warnings: [],
  };
  return withDispatcher(experiment.id, { ...options, waits: false }, async (dispatcher, followed) => {
    const workers = await dispatcher.workers();
    checkWorkers(workers, { ...wish, hosts: (wish.hosts ?? 1) + (confirm ?? 0) }, url);
    // Hosts that confirm must not measure before.
    const hosts = confirm === null ? wish.hosts : (wish.hosts ?? usableWorkers(workers, wish).length - confirm);
    const collected = await CollectedRuns.begin({ experiment, directory, parent, onEvent });
    const { labels, excluded, pinned } = wish;
    const reach = { hosts, labels, excluded: [...excluded], pinned: [...pinned] };
    try {
      await writeFleetFile(collected.directory, { url, ...reach, confirm });
      await dispatcher.submit(experiment, {
        code,
        toolVersion,
        plannedRuns: plannedRuns(experiment.config),
        priority: options.priority ?? 0,
        takenOverBy: detaches ? reach : null,
      });
      return await work({ collected, dispatcher, followed, wish: { ...wish, hosts } });
    } finally {
      collected.close();
    }
  });
}

/** Runs that stop rules ask for at least. */
function plannedRuns({ benchmarks, stop }: ExperimentConfig): number {
  return benchmarks.reduce((sum, { own }) => {
    const { fixedRuns, minRuns } = stopRuleOf(own.stop ?? stop);
    return sum + (fixedRuns ?? minRuns);
  }, 0);
}

/**
 * Continues an experiment of a fleet whose submitter ended; waits for a database that cannot be reached.
 *
 * @param leaves whether an interruption ends the following only: the experiment goes on, and is not continued where it was cancelled
 * @throws as `runOnFleet`; FleetError `NOT_FOUND`, `EXPERIMENT_OVER`; RecordError as `openRecording`
 */
export async function resumeOnFleet({
  directory,
  leaves = false,
  ...control
}: Control & { readonly directory: string; readonly leaves?: boolean }): Promise<SessionResult> {
  const { url, hosts, labels, excluded, pinned = [], confirm } = readFleetFile(directory);
  const wish: HostWish = { hosts, labels, excluded, pinned, toolVersion: control.toolVersion };
  const collected = await CollectedRuns.resume(directory, control.onEvent);
  try {
    const options = { ...control, url, waits: true };
    return await withDispatcher(collected.experiment.id, options, async (dispatcher, followed) => {
      if (!leaves) await dispatcher.reopen();
      const end = await followAll(collected, { followed, wish, confirm });
      if (end.kind === 'interrupted' && leaves) return collected.finish(end);
      return conclude(end, { collected, dispatcher });
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

type Followed = (
  collected: CollectedRuns,
  facts: { readonly wish: HostWish; readonly detaches: boolean },
) => Promise<FollowedEnd>;

/** The runs that stop rules ask for, and then those of other hosts that confirm. */
async function followAll(
  collected: CollectedRuns,
  { followed, wish, confirm }: Pick<Submitted, 'followed' | 'wish'> & Pick<RunOnFleetOptions, 'confirm'>,
): Promise<FollowedEnd> {
  const end = await followed(collected, { wish, detaches: false });
  if (confirm === null || end.kind !== 'done' || !collected.beginConfirmation()) return end;
  const others = { ...wish, hosts: confirm, excluded: [...wish.excluded, ...collected.hosts] };
  return followed(collected, { wish: others, detaches: false });
}

async function withDispatcher<T>(
  id: string,
  { url, variables, signal, onFleetEvent, waits }: Control & { readonly url: string; readonly waits: boolean },
  work: (dispatcher: Dispatcher, followed: Followed) => Promise<T>,
): Promise<T> {
  const bell = new Bell();
  const liveness = new Liveness(() => performance.now());
  const giveUp = new AbortController();

  // After an interruption what is under way is cancelled, if the database answers soon.
  function end(): void {
    bell.ring();
    setTimeout(() => giveUp.abort(), endPatienceMs).unref();
  }

  signal.addEventListener('abort', end);
  const dispatcher = await Dispatcher.open(id, {
    url,
    variables,
    signal: giveUp.signal,
    waits,
    onChange: () => bell.ring(),
    onLost: ({ message }) => onFleetEvent({ kind: 'connection-lost', message }),
    onFound: () => {
      liveness.forgive();
      onFleetEvent({ kind: 'connection-found' });
    },
  });
  try {
    return await work(dispatcher, (collected, facts) =>
      follow({ ...facts, collected, dispatcher, signal, onFleetEvent, bell, liveness }),
    );
  } finally {
    signal.removeEventListener('abort', end);
    await dispatcher.close();
  }
}

const endPatienceMs = 5000;

/** Ends an experiment in the fleet, unless that was left to the workers, and its recording. */
async function conclude(
  end: FollowedEnd,
  { collected, dispatcher }: Pick<Submitted, 'collected' | 'dispatcher'>,
): Promise<SessionResult> {
  if (end.kind === 'detached') return collected.finish({ kind: 'interrupted' });
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
  if (end.kind !== 'refused') return collected.finish(end);
  return collected.finish({ kind: 'failed', failures: [{ side: 'A', code: 'NOT_STARTED', message: end.message }] });
}

/** Settings of the fleet that executes a recording's runs, stored as `fleet.json` in its folder. */
const fleetFileSchema = z.object({
  schema: z.literal('deadheat.fleet/1'),
  /** The fleet's database; holds no password. */
  url: z.string(),
  /** The number of hosts that the runs are spread over; `null` = all that there are. */
  hosts: z.int().positive().nullable(),
  labels: z.record(z.string(), z.string()),
  /** Workers that are not to be used. */
  excluded: z.array(z.string()),
  /** The only workers that are to be used; absent or empty = all may. */
  pinned: z.array(z.string()).optional(),
  /** Number of other hosts that measure again the benchmarks that are slower; `null` = none. */
  confirm: z.int().positive().nullable(),
});

/** @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO` */
async function writeFleetFile(directory: string, file: Omit<z.input<typeof fleetFileSchema>, 'schema'>): Promise<void> {
  const text = `${JSON.stringify({ schema: 'deadheat.fleet/1', ...file }, null, 2)}\n`;
  await writeNamedFile(join(directory, recordingFiles.fleet), (to) => to.writeFile(text));
}

/** @throws FleetError `OTHER_VERSION` */
function readFleetFile(directory: string): z.output<typeof fleetFileSchema> {
  const path = join(directory, recordingFiles.fleet);
  try {
    return fleetFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new FleetError('OTHER_VERSION', `${path} cannot be read: it is damaged, or of a newer deadheat.`, {
      cause: error,
    });
  }
}
