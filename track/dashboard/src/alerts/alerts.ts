import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { matchesStars } from '@deadheat/model';
import { seriesKey, type History } from '@deadheat/history';
import { Catalog } from '../source/catalog.ts';
import { changeMark, ChangeSearch, directionOf, markOf, type FoundChange } from '../source/change-search.ts';
import { HistorySource } from '../source/history-source.ts';
import { TriageView } from '../source/triage-shelf.ts';
import { AlertLog, alertTopic, entriesOf, type EventEntry, type Found } from './alert-log.ts';
import { messageOf, safe, sampleEvents, workersOf, type Content } from './alert-message.ts';
import { AlertError, deliver, type DeliveryLimits } from './delivery.ts';
import type { AlertChannel, AlertEntry, AlertEvent, AlertSettings, ChangeEvent } from './alert.ts';
import type { ChangeTriage, CanaryAlarm } from '@deadheat/history';
import type { FleetView, FleetWorker } from '@deadheat/fleet';

/** The outcome of one look for a channel. */
export interface ChannelOutcome {
  readonly channel: string;
  /** Events that were sent; of a digest those in it. */
  readonly events: number;
  readonly digests: number;
  /** Why the rest was not sent; `null` = there is no rest. */
  readonly error: unknown;
}

export interface Look {
  readonly channels: readonly ChannelOutcome[];
  /** Why the fleet could not be asked; `null` = it was, or there is none. */
  readonly fleetError: unknown;
}

interface AlertLimits extends DeliveryLimits {
  /** A process that hangs for longer while it sends is given up, ms: another one may send the same once more. */
  readonly leaseMs: number;
  /** Pause between two looks at who has the lease, ms. */
  readonly leasePauseMs: number;
}

/** A lease lasts longer than what may lie between two renewals: a pause before an attempt, and the attempt. */
const usualLimits: AlertLimits = {
  attemptMs: 15_000,
  deadlineMs: 60_000,
  firstPauseMs: 1000,
  leaseMs: 120_000,
  leasePauseMs: 500,
};

/** The sources and the means of alerts. */
export interface AlertsOptions {
  readonly settings: AlertSettings;
  /** `null` = no events of workers. */
  readonly fleet: Pick<FleetView, 'workers'> | null;
  readonly toolVersion: string;
  /** The environment of commands. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly limits?: AlertLimits;
  readonly now?: () => Date;
}

interface Parts {
  readonly source: HistorySource;
  readonly catalog: Catalog;
  readonly changes: ChangeSearch;
}

/** Longest wait for other processes that send, in the time after which one that hangs is given up. */
const mostLeases = 3;
/** Events in one message. */
const mostEvents = 100;
const nsPerMs = 1e6;

/**
 * Finds what happened in a history and a fleet, and sends each of it once to the channels of a file of alerts. The log of it is kept
 * in the history; one process at a time sends, by a lease in it.
 */
export class Alerts {
  readonly #options: AlertsOptions;
  readonly #parts: Parts;
  readonly #holder = randomUUID();
  readonly #now: () => Date;
  readonly #limits: AlertLimits;
  /** The last renewal of the lease, and when it was, ms: channels that are served at the same time renew it one after the other. */
  #renewing: Promise<void> = Promise.resolve();
  #renewedAt = 0;

  constructor(options: AlertsOptions, parts: Parts) {
    this.#options = options;
    this.#limits = options.limits ?? usualLimits;
    this.#parts = parts;
    this.#now = options.now ?? (() => new Date());
  }

  /**
   * Looks once, and sends what is new, and digests that are due. The first look of a history sends nothing: what is there already is
   * known; so does the first look with a new channel, to that channel.
   *
   * @throws HistoryError; AlertError where another process does not stop sending
   */
  async look(signal: AbortSignal): Promise<Look> {
    const { settings } = this.#options;
    const before = await this.#log();
    const { workers, fleetError } = await this.#workers();
    const found = await this.#find(before, workers);
    if (!this.#hasWork(before, found)) return { channels: settings.channels.map(nothingSent), fleetError };
    const channels = await this.#alone(signal, async () => {
      const log = await this.#remember(found);
      const triage = await this.#triage();
      return Promise.all(
        settings.channels.map((channel) => this.#serve(channel, { log, found, triage, workers, signal })),
      );
    });
    return { channels, fleetError };
  }

  /** Sends the digest of every channel that has one, also where it is not due. @throws as `look` */
  async digest(signal: AbortSignal): Promise<Look> {
    const { settings } = this.#options;
    const { workers, fleetError } = await this.#workers();
    const found = await this.#find(await this.#log(), workers);
    const channels = await this.#alone(signal, async () => {
      const log = await this.#remember(found);
      const triage = await this.#triage();
      const wanting = settings.channels.filter(({ digest }) => digest !== null);
      return Promise.all(
        wanting.map((channel) =>
          attempted(channel, (sent) => this.#sendDigest(channel, { log, found, triage, workers, signal }, sent)),
        ),
      );
    });
    return { channels, fleetError };
  }

  /** Sends events that are made up to every channel; nothing of it is kept. */
  async test(signal: AbortSignal): Promise<readonly ChannelOutcome[]> {
    const { settings } = this.#options;
    const at = this.#now();
    const events = sampleEvents(at, settings.dashboard);
    return Promise.all(
      settings.channels.map((channel) =>
        attempted(channel, async (sent) => {
          const content = { kind: 'test', channel: channel.name, at, events, digest: null } as const;
          await this.#deliver(channel, content, { signal, beforeAttempt: async () => undefined });
          sent.events += events.length;
        }),
      ),
    );
  }

  async #log(): Promise<AlertLog> {
    return new AlertLog(entriesOf(await this.#parts.source.use((history) => history.notes(alertTopic))));
  }

  async #triage(): Promise<readonly ChangeTriage[]> {
    return this.#parts.source.use((history) => history.triage());
  }

  async #workers(): Promise<{ readonly workers: readonly FleetWorker[] | null; readonly fleetError: unknown }> {
    try {
      return { workers: (await this.#options.fleet?.workers()) ?? null, fleetError: null };
    } catch (fleetError) {
      return { workers: null, fleetError };
    }
  }

  /** The findings now: changes where the history differs from the one that was searched last, and workers. */
  async #find(log: AlertLog, workers: readonly FleetWorker[] | null): Promise<Findings> {
    const { source, catalog, changes } = this.#parts;
    const at = this.#now();
    const gone = (workers ?? []).filter(({ state, left }) => state === 'gone' && left !== true);
    const events = gone.map((worker) => workerFound(worker, at));
    const revision = await source.use((history) => history.revision());
    if (revision === log.revision) return { revision: null, at, events };
    const view = await catalog.now();
    const found = (await changes.whole(view)).changes;
    const canaries = await view.canaryAlarms();
    const { dashboard } = this.#options.settings;
    // The oldest first, as they are sent.
    const changed = [
      ...found.toReversed().map((change) => changeFound(change, { at, dashboard })),
      ...canaries.toReversed().map((alarm) => canaryFound(alarm, at)),
    ];
    return { revision: view.revision, at, events: [...changed, ...events] };
  }

  /** Checks whether there is something to be written or sent. Without that a look writes nothing, not even for the lease. */
  #hasWork(log: AlertLog, { revision, events }: Findings): boolean {
    const { channels } = this.#options.settings;
    return (
      revision !== null ||
      events.some((found) => !log.knows(found)) ||
      channels.some(
        (channel) => !log.has(channel.name) || log.pending(channel.name).length > 0 || this.#isDue(channel, log),
      )
    );
  }

  /** Adds what is new to the log, and channels that are. */
  async #remember({ revision, at, events }: Findings): Promise<AlertLog> {
    const log = await this.#log();
    const time = at.toISOString();
    const entries: readonly AlertEntry[] = [
      ...events.filter((found) => !log.knows(found)).map((found) => ({ kind: 'event', at: time, ...found }) as const),
      ...this.#options.settings.channels
        .filter(({ name }) => !log.has(name))
        .map(({ name }) => ({ kind: 'channel', at: time, channel: name }) as const),
      ...(revision === null ? [] : [{ kind: 'looked', at: time, revision } as const]),
    ];
    if (entries.length === 0) return log;
    await this.#add(entries);
    return this.#log();
  }

  async #add(entries: readonly AlertEntry[]): Promise<void> {
    const note = { at: this.#now().toISOString(), content: entries };
    await this.#parts.source.use((history) => history.addNote(alertTopic, note));
  }

  async #serve(channel: AlertChannel, scene: Scene): Promise<ChannelOutcome> {
    return attempted(channel, async (sent) => {
      await this.#sendEvents(channel, scene, sent);
      if (this.#isDue(channel, scene.log)) await this.#sendDigest(channel, scene, sent);
    });
  }

  async #sendEvents(channel: AlertChannel, { log, found, triage, workers, signal }: Scene, sent: Sent): Promise<void> {
    const { name } = channel;
    const pending = log.pending(name).map((entry) => ({
      entry,
      fate: this.#fateOf(entry, { channel, found, triage, workers }),
    }));
    const at = this.#now().toISOString();
    const dropped = (['decided', 'unwanted', 'withdrawn'] as const).flatMap((outcome) => {
      const marks = pending.filter(({ fate }) => fate === outcome).map(({ entry }) => entry.mark);
      return marks.length === 0 ? [] : [{ kind: 'done', at, channel: name, marks, outcome } as const];
    });
    if (dropped.length > 0) await this.#add(dropped);
    const due = pending.filter(({ fate }) => fate === 'send').map(({ entry }) => entry);
    for (let from = 0; from < due.length; from += mostEvents) {
      const entries = due.slice(from, from + mostEvents);
      const events = entries.map(({ event }) => event);
      const content = { kind: 'alert', channel: name, at: this.#now(), events, digest: null } as const;
      await this.#deliver(channel, content, { signal, beforeAttempt: () => this.#renew() });
      const marks = entries.map(({ mark }) => mark);
      await this.#add([{ kind: 'done', at: this.#now().toISOString(), channel: name, marks, outcome: 'sent' }]);
      sent.events += events.length;
    }
  }

  /** The next step with an event for a channel; `wait` = it may be too early. */
  #fateOf(
    entry: EventEntry,
    {
      channel,
      found,
      triage,
      workers,
    }: Pick<Scene, 'found' | 'triage' | 'workers'> & { readonly channel: AlertChannel },
  ): 'send' | 'wait' | 'decided' | 'unwanted' | 'withdrawn' {
    const { event, mark } = entry;
    const { workerGraceNs } = this.#options.settings;
    if (event.kind === 'worker') {
      if (!channel.on.includes('worker')) return 'unwanted';
      if (workers === null) return 'wait';
      if (!found.events.some((one) => one.mark === mark)) return 'withdrawn';
      return found.at.getTime() - Date.parse(entry.at) >= workerGraceNs / nsPerMs ? 'send' : 'wait';
    }
    if (!isWanted(event, channel)) return 'unwanted';
    if (event.kind === 'canary') return 'send';
    if (decisionOn(entry, triage) !== null) return 'decided';
    // Further comparisons may show that it was none.
    return found.revision === null || found.events.some(({ near }) => near.includes(mark)) ? 'send' : 'withdrawn';
  }

  #isDue({ name, digest }: AlertChannel, log: AlertLog): boolean {
    const since = log.sinceDigest(name);
    if (digest === null || since === null) return false;
    return (
      Date.parse(since.at) <
      digestBoundary(digest, { now: this.#now(), hour: this.#options.settings.digestHour }).getTime()
    );
  }

  async #sendDigest(channel: AlertChannel, { log, triage, workers, signal }: Scene, sent: Sent): Promise<void> {
    const { catalog, changes } = this.#parts;
    const { name } = channel;
    const to = this.#now().toISOString();
    const since = log.sinceDigest(name);
    const during = (since?.events ?? []).filter(({ event }) => concerns(event, channel)).toReversed();
    const found = (await changes.whole(await catalog.now())).changes;
    const view = new TriageView(triage);
    const decisions = { new: 0, acknowledged: 0, expected: 0, ticket: 0 };
    for (const change of found) {
      if (concerns({ kind: 'change', ...change }, channel)) decisions[view.of(change)[0]?.state ?? 'new'] += 1;
    }
    const events = during.slice(0, mostEvents).map((entry) => {
      const { event } = entry;
      return event.kind === 'change' ? { ...event, decision: decisionOn(entry, triage) } : event;
    });
    const digest = {
      from: since?.at ?? to,
      to,
      more: during.length - events.length,
      decisions,
      workers: workers === null ? null : workersOf(workers),
    };
    const content = { kind: 'digest', channel: name, at: this.#now(), events, digest } as const;
    await this.#deliver(channel, content, { signal, beforeAttempt: () => this.#renew() });
    await this.#add([{ kind: 'digest', at: to, channel: name }]);
    sent.events += events.length;
    sent.digests += 1;
  }

  async #deliver(
    { target }: AlertChannel,
    content: Content,
    how: { readonly signal: AbortSignal; readonly beforeAttempt: () => Promise<void> },
  ): Promise<void> {
    const { toolVersion, variables } = this.#options;
    await deliver(target, messageOf(content), { ...how, limits: this.#limits, toolVersion, variables });
  }

  /** Takes the lease, renews it or gives it back, where the last one that counts is `after`. Returns whether that counts. */
  async #lease(holder: string | null, after: string | null): Promise<boolean> {
    const id = randomUUID();
    const askedAt = performance.now();
    await this.#add([{ kind: 'lease', at: this.#now().toISOString(), id, holder, after }]);
    if ((await this.#log()).lease?.id !== id) return false;
    this.#renewedAt = askedAt;
    return true;
  }

  /** Holds the lease for longer, before an attempt to send. @throws AlertError where another process has taken it */
  async #renew(): Promise<void> {
    this.#renewing = this.#renewing.catch(() => undefined).then(() => this.#renewIfOld());
    await this.#renewing;
  }

  async #renewIfOld(): Promise<void> {
    if (performance.now() - this.#renewedAt < this.#limits.leaseMs / 8) return;
    const { lease } = await this.#log();
    if (lease?.holder === this.#holder && (await this.#lease(this.#holder, lease.id))) return;
    throw new AlertError('ALERT_NOT_SENT', 'This process hung, and another one sends the alerts of this history now.');
  }

  /**
   * Works while no other process sends from this history. A lease of another is over when that has not renewed it for as long as this
   * process watches, so that no two clocks have to agree.
   */
  async #alone<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    const { leaseMs, leasePauseMs } = this.#limits;
    let [seen, since] = [null as string | null, performance.now()];
    const end = since + mostLeases * leaseMs;
    for (;;) {
      const { lease } = await this.#log();
      if (lease !== null && lease.id !== seen) [seen, since] = [lease.id, performance.now()];
      const isFree = lease === null || lease.holder === null || performance.now() - since > leaseMs;
      if (isFree && (await this.#lease(this.#holder, lease?.id ?? null))) break;
      if (signal.aborted || performance.now() > end) {
        throw new AlertError('ALERT_NOT_SENT', 'Another process is sending the alerts of this history.', {
          hint: 'Nothing is lost: the next look sends what that one leaves.',
        });
      }
      await sleep(leasePauseMs, undefined, { signal }).catch(() => undefined);
    }
    try {
      return await work();
    } finally {
      // Without that the others wait until it is over.
      await this.#giveBack().catch(() => undefined);
    }
  }

  async #giveBack(): Promise<void> {
    const { lease } = await this.#log();
    if (lease?.holder === this.#holder) await this.#lease(null, lease.id);
  }
}

/** The findings of one look. */
interface Findings {
  /** Revision of the history that was searched; `null` = its changes were all in the log before. */
  readonly revision: string | null;
  readonly at: Date;
  readonly events: readonly Found[];
}

/** The state that all channels are served with. */
interface Scene {
  readonly log: AlertLog;
  readonly found: Findings;
  readonly triage: readonly ChangeTriage[];
  /** `null` = there is no fleet, or it could not be asked. */
  readonly workers: readonly FleetWorker[] | null;
  readonly signal: AbortSignal;
}

interface Sent {
  events: number;
  digests: number;
}

function nothingSent({ name }: AlertChannel): ChannelOutcome {
  return { channel: name, events: 0, digests: 0, error: null };
}

/** The outcome of a channel, with the messages that were sent before a failure. */
async function attempted(channel: AlertChannel, work: (sent: Sent) => Promise<void>): Promise<ChannelOutcome> {
  const sent: Sent = { events: 0, digests: 0 };
  try {
    await work(sent);
    return { channel: channel.name, ...sent, error: null };
  } catch (error) {
    return { channel: channel.name, ...sent, error };
  }
}

function workerFound({ id, machine, seenAt }: FleetWorker, at: Date): Found {
  const mark = `worker ${id} ${seenAt}`;
  const event = {
    kind: 'worker',
    id: mark,
    foundAt: at.toISOString(),
    worker: safe(id),
    hostname: safe(machine.hostname),
    seenAt,
  } as const;
  return { mark, near: [mark], event: { ...event, id: safe(mark) } };
}

function changeFound(
  change: FoundChange,
  { at, dashboard }: { readonly at: Date; readonly dashboard: string | null },
): Found {
  const direction = directionOf(change);
  const { id, method, quantity, ratio, low, high, confidence, after, until, first, near } = change;
  return {
    mark: changeMark(change, direction, first.experiment),
    near: near.map((experiment) => changeMark(change, direction, experiment)),
    event: {
      kind: 'change',
      id,
      foundAt: at.toISOString(),
      project: safe(change.project),
      benchmark: safe(change.benchmark),
      params: Object.fromEntries(Object.entries(change.params).map(([name, value]) => [safe(name), safe(value)])),
      method,
      direction,
      quantity,
      ratio,
      low,
      high,
      confidence,
      after: safeCommit(after),
      until: safeCommit(until),
      experiment: safe(first.experiment),
      measuredAt: first.startedAt,
      url: dashboard === null ? null : new URL(`changes/${encodeURIComponent(id)}`, dashboard).href,
      decision: null,
    },
  };
}

function canaryFound({ kind, host, name, point, near, ratio }: CanaryAlarm, at: Date): Found {
  const marks = [point.experiment, ...near].map((experiment) =>
    markOf(`canary ${kind} ${seriesKey(name)} ${host} ${experiment}`),
  );
  const [mark = ''] = marks;
  return {
    mark,
    near: marks,
    event: {
      kind: 'canary',
      id: mark,
      what: kind,
      foundAt: at.toISOString(),
      hostname: safe(host),
      benchmark: safe(name.benchmark),
      ...ratio,
      experiment: safe(point.experiment),
      measuredAt: point.startedAt,
    },
  };
}

function safeCommit(commit: FoundChange['after']): FoundChange['after'] {
  if (commit === null) return null;
  const { id, label, committedAt } = commit;
  return { id: safe(id), label: safe(label), committedAt: committedAt === null ? null : safe(committedAt) };
}

/** Checks whether an event is no change, or one of a project and a size that a channel asks for. */
function concerns(
  event: Exclude<AlertEvent, ChangeEvent> | Pick<ChangeEvent, 'kind' | 'project' | 'ratio'>,
  { projects, leastChange }: AlertChannel,
): boolean {
  if (event.kind !== 'change') return true;
  const { project, ratio } = event;
  if (projects.length > 0 && !projects.some((pattern) => matchesStars(pattern, project))) return false;
  return Math.abs(ratio - 1) >= leastChange;
}

function isWanted(event: AlertEvent, channel: AlertChannel): boolean {
  return channel.on.includes(event.kind === 'change' ? event.direction : event.kind) && concerns(event, channel);
}

/** The decision about the change of an entry; `null` = none, or that it is new after all. */
function decisionOn({ near }: EventEntry, triage: readonly ChangeTriage[]): ChangeEvent['decision'] {
  const last = triage.findLast((entry) => near.includes(changeMark(entry, entry.direction, entry.experiment)));
  if (last === undefined || last.state === 'new') return null;
  const { state, ticket, by, at } = last;
  return { state, ticket: ticket === null ? null : safe(ticket), by: safe(by), at: safe(at) };
}

/** The newest time at which the digests of a day or a week became due: at an hour (UTC), of a week on Monday. */
export function digestBoundary(
  digest: 'day' | 'week',
  { now, hour }: { readonly now: Date; readonly hour: number },
): Date {
  const boundary = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour));
  if (boundary > now) boundary.setUTCDate(boundary.getUTCDate() - 1);
  // Days since Monday.
  if (digest === 'week') boundary.setUTCDate(boundary.getUTCDate() - ((boundary.getUTCDay() + 6) % 7));
  return boundary;
}

/** Alerts with a history of their own. */
interface OpenAlerts {
  readonly alerts: Alerts;
  close(): Promise<void>;
}

/** Alerts for a process that looks once. */
export function openAlerts(options: AlertsOptions & { readonly openHistory: () => Promise<History> }): OpenAlerts {
  const source = new HistorySource(options.openHistory);
  const changes = new ChangeSearch(source, () => undefined);
  return {
    alerts: new Alerts(options, { source, catalog: new Catalog(source), changes }),
    close: async () => {
      await changes.close();
      await source.close();
    },
  };
}

/** Looks again and again until a signal ends it; after a look in which something was not sent, later and later. */
export async function keepLooking(
  alerts: Alerts,
  {
    everyMs,
    signal,
    report,
  }: { readonly everyMs: number; readonly signal: AbortSignal; readonly report: (error: unknown) => void },
): Promise<void> {
  for (let pauseMs = everyMs; !signal.aborted;) {
    const errors = await alerts.look(signal).then(
      ({ channels, fleetError }) =>
        [fleetError, ...channels.map(({ error }) => error)].filter((error) => error !== null),
      (error: unknown) => [error],
    );
    if (!signal.aborted) for (const error of errors) report(error);
    pauseMs = errors.length === 0 ? everyMs : Math.min(pauseMs * 2, Math.max(everyMs, mostPauseMs));
    await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

const mostPauseMs = 3600_000;
