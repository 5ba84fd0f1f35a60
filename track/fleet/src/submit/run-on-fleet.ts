import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CollectedRuns, type ExperimentDraft, fitExperiment, type Outcome, type SessionResult } from '@deadheat/engine';
import { DeadheatError, type Experiment, type ExperimentConfig, recordingFiles, stopRuleOf } from '@deadheat/model';
import { writeNamedFile } from '@deadheat/recording';
import type { DetachedExperiment, FleetExperimentFacts, FleetRequest, FleetScheduler } from 'deadheat/internals';
import { z } from 'zod';
import type { Code } from '../code.ts';
import { Bell, checkFleetUrl } from '../database/link.ts';
import { FleetError } from '../fleet-error.ts';
import { Dispatcher, type Reach, reachSchema } from './dispatcher.ts';
import { checkWorkers, follow, type Followed, type FollowedEnd, Liveness, usableWorkers } from './follow.ts';

/** An experiment for a fleet, whose workers get its programs from `code`. */
export interface FleetOrder extends Omit<FleetRequest, 'code'>, Omit<FleetExperimentFacts, 'file' | 'changes'> {
  readonly code: Code;
}

/**
 * Executes the runs of an experiment on the workers of a fleet, gathers them into a recording here, and analyses it.
 *
 * @throws FleetError `BAD_URL`, `NO_SCHEMA`, `NEWER_SCHEMA`, `NO_WORKERS`, `OTHER_VERSION`,
 *   `RUN_REFUSED`; HistoryError when the database cannot be reached at the beginning, or refuses; RecordError when the
 *   recording cannot be written
 */
export async function runOnFleet(order: FleetOrder): Promise<SessionResult> {
  return withSubmitted(order, { detaches: false }, async (followed) =>
    conclude(await followAll(followed, order.confirm), followed),
  );
}

/**
 * Puts all runs of an experiment into the queues, and leaves them to the workers, which take over the runs of those that are lost; where
 * pilot runs choose a method, once they have. `resumeOnFleet` gathers the results.
 *
 * @throws as `runOnFleet`; FleetError `CANNOT_DETACH` for a stop rule without a largest number of runs, `RUN_REFUSED` also where a
 *   pilot run fails
 */
export async function detachOnFleet(order: FleetOrder): Promise<DetachedExperiment> {
  checkBounded(order.draft);
  return withSubmitted(order, { detaches: true }, async (followed) => {
    const { directory, experiment } = followed.collected;
    const end = await follow(followed, { detaches: true });
    const detached = { directory, experiment: experiment.id };
    if (end.kind === 'done') return { ...detached, isLeft: true };
    const { outcome } = await conclude(end, followed);
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

/** Submits an experiment, and gives it to `work` with its recording, which is closed afterwards. */
async function withSubmitted<T>(
  order: FleetOrder,
  { detaches }: { readonly detaches: boolean },
  work: (followed: Followed) => Promise<T>,
): Promise<T> {
  const { url, draft, tool, commits, confirm } = order;
  checkFleetUrl(url);
  if (draft.benchmarks.some(({ own }) => (own.sameOutput ?? draft.sameOutput) === true)) {
    throw new DeadheatError(
      'OUTPUTS_NOT_SEEN',
      'same-output was asked for, but workers of a fleet do not compare what programs print. Leave it out, or compare them here; nothing was submitted.',
    );
  }
  // Each worker has lanes of its own, whatever the number of cores here.
  const fitted = await fitExperiment({ ...draft, lanes: 1 });
  const experiment: Experiment = {
    schema: 'deadheat.experiment/1',
    id: randomBytes(8).toString('hex'),
    startedAt: new Date().toISOString(),
    tool,
    config: spread({
      ...fitted.config,
      method: draft.method,
      pilotRuns: draft.pilotRuns,
      benchmarks: draft.benchmarks,
      lanes: 1,
      ...(draft.lanes == null ? {} : { workerLanes: draft.lanes }),
    }),
    machine: fitted.machine,
    // The file is written first, so that this machine does not continue an interrupted experiment by itself.
    hosts: [],
    ...(commits === undefined ? {} : { commits }),
    warnings: [],
  };
  return withDispatcher(experiment.id, order, async (link) => {
    const { dispatcher } = link;
    const workers = await dispatcher.workers();
    const asked: Reach = { hosts: order.hosts, labels: order.labels, excluded: [], pinned: order.workers ?? [] };
    const wish = { ...asked, toolVersion: tool.version };
    checkWorkers(workers, { ...wish, hosts: (wish.hosts ?? 1) + (confirm ?? 0) }, url);
    // Hosts that confirm must not measure before.
    const hosts = confirm === null ? wish.hosts : (wish.hosts ?? usableWorkers(workers, wish).length - confirm);
    const collected = await CollectedRuns.begin({ ...order, experiment });
    const reach = { ...asked, hosts };
    try {
      await writeFleetFile(collected.directory, { url, ...reach, confirm });
      await dispatcher.submit(experiment, {
        code: order.code,
        toolVersion: tool.version,
        plannedRuns: plannedRuns(experiment.config),
        priority: order.priority ?? 0,
        takenOverBy: detaches ? reach : null,
      });
      return await work({ ...link, collected, wish: { ...wish, hosts } });
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
 * @param options.leaves whether an interruption ends the following only: the experiment goes on, and is not continued where it was cancelled
 * @throws as `runOnFleet`; FleetError `NOT_FOUND`, `EXPERIMENT_OVER`; RecordError as `openRecording`
 */
export async function resumeOnFleet(
  directory: string,
  { leaves, toolVersion, ...control }: Parameters<FleetScheduler['resume']>[1],
): Promise<SessionResult> {
  const { url, confirm, ...reach } = readFleetFile(directory);
  const collected = await CollectedRuns.resume(directory, control.onEvent);
  try {
    return await withDispatcher(collected.experiment.id, { ...control, url, waits: true }, async (link) => {
      if (!leaves) await link.dispatcher.reopen();
      const followed = { ...link, collected, wish: { ...reach, toolVersion } };
      const end = await followAll(followed, confirm);
      if (end.kind === 'interrupted' && leaves) return collected.finish(end);
      return conclude(end, followed);
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

/** The runs that stop rules ask for, and then those of other hosts that confirm. */
async function followAll(followed: Followed, confirm: FleetOrder['confirm']): Promise<FollowedEnd> {
  const { collected, wish } = followed;
  const end = await follow(followed, { detaches: false });
  if (confirm === null || end.kind !== 'done' || !collected.beginConfirmation()) return end;
  const others = { ...wish, hosts: confirm, excluded: [...wish.excluded, ...collected.hosts] };
  return follow({ ...followed, wish: others }, { detaches: false });
}

async function withDispatcher<T>(
  id: string,
  options: Pick<FleetOrder, 'url' | 'variables' | 'signal' | 'onNotice'> & { readonly waits?: boolean },
  work: (link: Omit<Followed, 'collected' | 'wish'>) => Promise<T>,
): Promise<T> {
  const { url, variables, signal, onNotice, waits = false } = options;
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
    onLost: ({ message }) => onNotice(`${message} Waiting for it`),
    onFound: () => {
      liveness.forgive();
      onNotice('the database is there again');
      bell.ring();
    },
  });
  try {
    return await work({ dispatcher, bell, liveness, signal, onNotice });
  } finally {
    signal.removeEventListener('abort', end);
    await dispatcher.close();
  }
}

const endPatienceMs = 5000;

/** Ends an experiment in the fleet, and its recording. */
async function conclude(end: FollowedEnd, { collected, dispatcher }: Followed): Promise<SessionResult> {
  const outcome: Outcome =
    end.kind === 'refused'
      ? { kind: 'failed', failures: [{ side: 'A', code: 'NOT_STARTED', message: end.message }] }
      : end;
  const failure = outcome.kind === 'failed' ? (outcome.failures[0]?.message ?? null) : null;
  const ended = { done: 'done', 'time-limit': 'done', failed: 'failed', interrupted: 'cancelled' } as const;
  try {
    await dispatcher.change('finish', ended[outcome.kind], failure);
  } catch (error) {
    // An interruption is not to wait for a database that is away; the experiment is cancelled by hand then.
    if (end.kind !== 'interrupted') throw error;
  }
  if (end.kind === 'refused' && collected.isEmpty) {
    throw new FleetError('RUN_REFUSED', `A worker could not make a run: ${end.message}`);
  }
  return collected.finish(outcome);
}

/** Settings of the fleet that executes a recording's runs, stored as `fleet.json` in its folder. */
const fleetFileSchema = reachSchema.extend({
  schema: z.literal('deadheat.fleet/1'),
  /** The fleet's database; holds no password. */
  url: z.string(),
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
