import { setTimeout as sleep } from 'node:timers/promises';
import type { FleetView, FleetWorker } from '@deadheat/fleet';
import { type CanaryAlarm, type ChangeTriage, drawHolder, type History, seriesKey, withLease } from '@deadheat/history';
import { matchesStars } from '@deadheat/model';
import { Catalog } from '../source/catalog.ts';
import { changeMark, ChangeSearch, directionOf, type FoundChange, markOf } from '../source/change-search.ts';
import { HistorySource } from '../source/history-source.ts';
import { TriageView } from '../source/triage-shelf.ts';
import { type Content, messageOf, safe, sampleEvents, workersOf } from './alert-message.ts';
import {
  type AlertEntry,
  type AlertEvent,
  AlertLog,
  alertTopic,
  type ChangeEvent,
  type Course,
  type Found,
} from './alert.ts';
import type { AlertChannel, AlertSettings, IssuesTarget } from './alerts-file.ts';
import { AlertError, deliver, type DeliveryLimits, type DeliveryOptions, Failure, persist } from './delivery.ts';
import { checkIssues, doStep, issueStep, type IssueStep } from './issues.ts';

/** The outcome of one look for a channel. */
export interface ChannelOutcome {
  readonly channel: string;
  /** Events that were sent; of a digest those in it. */
  readonly events: number;
  readonly digests: number;
  /** Issues that were opened or reopened, and closed. */
  readonly opened: number;
  readonly closed: number;
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
/** Issues that one look opens or closes in a channel; the next look goes on. */
const mostSteps = 20;
const nsPerMs = 1e6;

/**
 * Finds what happened in a history and a fleet, and sends each of it once to the channels of a file of alerts. The log of it is kept
 * in the history; one process at a time sends, by a lease of the history.
 */
export class Alerts {
  readonly #options: AlertsOptions;
  readonly #parts: Parts;
  readonly #holder = drawHolder();
  readonly #now: () => Date;
  readonly #limits: AlertLimits;

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
   * @param digest true = only the digest of every channel that has one is sent, also where it is not due
   * @throws HistoryError; AlertError where another process does not stop sending
   */
  async look(signal: AbortSignal, { digest = false }: { readonly digest?: boolean } = {}): Promise<Look> {
    const { settings } = this.#options;
    const channels = digest ? settings.channels.filter((one) => one.digest !== null) : settings.channels;
    const before = await this.#log();
    const { workers, fleetError } = await this.#workers();
    const found = await this.#find(before, workers);
    if (!digest && !(await this.#hasWork(before, found))) {
      return { channels: channels.map(({ name }) => ({ channel: name, ...nothing, error: null })), fleetError };
    }
    const { source } = this.#parts;
    const { leaseMs, leasePauseMs } = this.#limits;
    const lease = { name: alertTopic, holder: this.#holder, ms: leaseMs, pauseMs: leasePauseMs, signal };
    const outcomes = await withLease(
      (question) => source.use(question),
      { ...lease, patienceMs: mostLeases * leaseMs },
      async (renew) => {
        const log = await this.#remember(found);
        const triage = await source.use((history) => history.triage());
        const means = this.#means(signal, renew);
        const send = this.#sender(means);
        const serve = async (channel: AlertChannel, sent: Sent): Promise<void> => {
          const { target } = channel;
          if (target.kind === 'issues') await this.#doIssues(channel, { target, log, triage, sent, means });
          else if (!digest) await this.#sendEvents(channel, { log, triage, send, sent });
          if (digest || this.#isDue(channel, log))
            await this.#sendDigest(channel, { log, triage, send, sent, workers });
        };
        return Promise.all(channels.map((channel) => attempted(channel, serve)));
      },
    );
    if (outcomes !== null) return { channels: outcomes, fleetError };
    throw new AlertError('ALERT_NOT_SENT', 'Another process is sending the alerts of this history.', {
      hint: 'Nothing is lost: the next look sends what that one leaves.',
    });
  }

  /** Sends events that are made up to every channel; nothing of it is kept. */
  async test(signal: AbortSignal): Promise<readonly ChannelOutcome[]> {
    const { channels, dashboard } = this.#options.settings;
    const events = sampleEvents(this.#now(), dashboard);
    const means = this.#means(signal, async () => true);
    const send = this.#sender(means);
    return Promise.all(
      channels.map((channel) =>
        attempted(channel, async ({ name, target }, sent) => {
          if (target.kind === 'issues') {
            await persist(name, means, (deadline) => checkIssues(target, { ...means, signal: deadline }));
            return;
          }
          await send(channel, { kind: 'test', events, digest: null });
          sent.events += events.length;
        }),
      ),
    );
  }

  async #log(): Promise<AlertLog> {
    return new AlertLog(await this.#parts.source.use((history) => history.notes(alertTopic)));
  }

  async #add(entries: readonly AlertEntry[]): Promise<void> {
    const note = { at: this.#now().toISOString(), content: entries };
    await this.#parts.source.use((history) => history.addNote(alertTopic, note));
  }

  async #workers(): Promise<{ readonly workers: readonly FleetWorker[] | null; readonly fleetError: unknown }> {
    try {
      return { workers: (await this.#options.fleet?.workers()) ?? null, fleetError: null };
    } catch (fleetError) {
      return { workers: null, fleetError };
    }
  }

  /** The lines that the log lacks: changes where the history differs from the one that was searched last, and workers. */
  async #find(log: AlertLog, workers: readonly FleetWorker[] | null): Promise<readonly AlertEntry[]> {
    const { source, catalog, changes } = this.#parts;
    const { dashboard, workerGraceNs } = this.#options.settings;
    const at = this.#now();
    const entries: AlertEntry[] = [];
    for (const worker of workers ?? []) {
      if (worker.state !== 'gone' || worker.left === true) continue;
      const found = workerFound(worker, at);
      const since = log.goneSince(found.mark);
      const goneMs = log.isNew ? Infinity : at.getTime() - (since === undefined ? at.getTime() : Date.parse(since));
      if (goneMs >= workerGraceNs / nsPerMs) entries.push(found);
      else if (since === undefined) entries.push({ kind: 'gone', at: at.toISOString(), mark: found.mark });
    }
    if ((await source.use((history) => history.revision())) !== log.revision) {
      const view = await catalog.now();
      // The oldest first, as they are sent.
      const found = (await changes.whole(view)).changes.toReversed();
      const asEvents = found.map((change) => changeFound(change, { at, dashboard }));
      if (this.#options.settings.channels.some(({ target }) => target.kind === 'issues')) {
        entries.push(...coursesOf(log, { found, asEvents }));
      }
      entries.unshift(...asEvents, ...(await view.canaryAlarms()).toReversed().map((alarm) => canaryFound(alarm, at)));
      entries.push({ kind: 'looked', revision: view.revision });
    }
    return entries.filter((entry) => entry.kind !== 'event' || !log.knows(entry));
  }

  /** Checks whether there is something to be written or sent. Without that a look writes nothing, not even for the lease. */
  async #hasWork(log: AlertLog, found: readonly AlertEntry[]): Promise<boolean> {
    const { channels } = this.#options.settings;
    if (found.length > 0 || channels.some(({ name }) => !log.has(name))) return true;
    const tracked = channels.filter(({ target }) => target.kind === 'issues');
    const triage = tracked.length === 0 ? [] : await this.#parts.source.use((history) => history.triage());
    return channels.some((channel) =>
      tracked.includes(channel)
        ? stepsOf(channel, { log, triage }).length > 0
        : log.pending(channel.name).length > 0 || this.#isDue(channel, log),
    );
  }

  /** Adds what is new to the log, and channels that are. */
  async #remember(found: readonly AlertEntry[]): Promise<AlertLog> {
    const log = await this.#log();
    const at = this.#now().toISOString();
    const begun = this.#options.settings.channels
      .filter(({ name }) => !log.has(name))
      .map(({ name }) => ({ kind: 'channel', at, channel: name, upTo: null }) as const);
    const entries = [...found.filter((entry) => entry.kind !== 'event' || !log.knows(entry)), ...begun];
    if (entries.length === 0) return log;
    await this.#add(entries);
    return this.#log();
  }

  /** Sends to a channel the events that it asks for and about which nobody has decided yet. */
  async #sendEvents(channel: AlertChannel, { log, triage, send, sent }: Scene): Promise<void> {
    const { name } = channel;
    const pending = log.pending(name);
    let due = pending.filter((entry) => isWanted(entry.event, channel) && decisionOn(entry, triage) === null);
    if (pending.length === 0) return;
    do {
      const events = due.slice(0, mostEvents).map(({ event }) => event);
      due = due.slice(mostEvents);
      if (events.length > 0) await send(channel, { kind: 'alert', events, digest: null });
      const upTo = due[0] === undefined ? log.events.length : log.events.indexOf(due[0]);
      await this.#add([{ kind: 'channel', at: this.#now().toISOString(), channel: name, upTo }]);
      sent.events += events.length;
    } while (due.length > 0);
  }

  /** Opens, closes and reopens the issues of a channel. One that the tracker refuses does not keep others from theirs. */
  async #doIssues(
    channel: AlertChannel,
    { target, log, triage, sent, means }: Omit<Scene, 'send'> & { target: IssuesTarget; means: DeliveryOptions },
  ): Promise<void> {
    const { name } = channel;
    const refusals: unknown[] = [];
    for (const step of stepsOf(channel, { log, triage }).slice(0, mostSteps)) {
      const { mark } = step.found;
      const note = async (state: 'opening' | 'open' | 'closed', number: string | null): Promise<void> =>
        this.#add([{ kind: 'issue', at: this.#now().toISOString(), channel: name, mark, state, number }]);
      const since = log.issueOf(name, step.found)?.at ?? null;
      const begun = this.#now().toISOString();
      if (step.act === 'open') await note('opening', null);
      try {
        const number = await persist(name, means, (deadline, attempts) => {
          const known = since ?? (attempts === 1 ? null : begun);
          return doStep(step, { channel: name, target, since: known, ...means, signal: deadline });
        });
        await note(step.act === 'close' ? 'closed' : 'open', number);
        sent[step.act === 'close' ? 'closed' : 'opened'] += 1;
      } catch (error) {
        if (!(error instanceof AlertError && error.cause instanceof Failure) || error.cause.isPassing) throw error;
        refusals.push(error);
      }
    }
    if (refusals.length > 0) throw refusals[0];
  }

  #isDue({ name, digest }: AlertChannel, log: AlertLog): boolean {
    const since = log.sinceDigest(name);
    if (digest === null || since === null) return false;
    const { digestHour: hour } = this.#options.settings;
    return Date.parse(since.at) < digestBoundary(digest, { now: this.#now(), hour }).getTime();
  }

  async #sendDigest(
    channel: AlertChannel,
    { log, triage, send, sent, workers }: Scene & { readonly workers: readonly FleetWorker[] | null },
  ): Promise<void> {
    const { catalog, changes } = this.#parts;
    const { name } = channel;
    const to = this.#now().toISOString();
    const since = log.sinceDigest(name);
    const during = (since?.events ?? []).filter(({ event }) => concerns(event, channel)).toReversed();
    const view = new TriageView(triage);
    const decisions = { new: 0, acknowledged: 0, expected: 0, ticket: 0 };
    for (const change of (await changes.whole(await catalog.now())).changes) {
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
    await send(channel, { kind: 'digest', events, digest });
    await this.#add([{ kind: 'digest', at: to, channel: name }]);
    sent.events += events.length;
    sent.digests += 1;
  }

  /** @param renew extends the lease before each attempt, which a process that hung for longer than it may not begin */
  #means(signal: AbortSignal, renew: () => Promise<boolean>): DeliveryOptions {
    const { toolVersion, variables } = this.#options;
    async function beforeAttempt(): Promise<void> {
      if (await renew()) return;
      throw new AlertError(
        'ALERT_NOT_SENT',
        'This process hung, and another one sends the alerts of this history now.',
      );
    }
    return { signal, beforeAttempt, limits: this.#limits, toolVersion, variables };
  }

  #sender(means: DeliveryOptions): Send {
    return async ({ name, target }, content) => {
      if (target.kind !== 'issues')
        await deliver(target, messageOf({ ...content, channel: name, at: this.#now() }), means);
    };
  }
}

type Send = (channel: AlertChannel, content: Omit<Content, 'channel' | 'at'>) => Promise<void>;

/** The state that a channel is served with. */
interface Scene {
  readonly log: AlertLog;
  readonly triage: readonly ChangeTriage[];
  readonly send: Send;
  readonly sent: Sent;
}

interface Sent {
  events: number;
  digests: number;
  opened: number;
  closed: number;
}

const nothing: Readonly<Sent> = { events: 0, digests: 0, opened: 0, closed: 0 };

/** The outcome of a channel, with the messages that were sent before a failure. */
async function attempted(
  channel: AlertChannel,
  work: (channel: AlertChannel, sent: Sent) => Promise<void>,
): Promise<ChannelOutcome> {
  const sent = { ...nothing };
  const error: unknown = await work(channel, sent).then(
    () => null,
    (failure: unknown) => failure,
  );
  return { channel: channel.name, ...sent, error };
}

function workerFound({ id, machine, seenAt }: FleetWorker, at: Date): Found {
  const mark = `worker ${id} ${seenAt}`;
  const event = {
    kind: 'worker',
    id: mark,
    foundAt: at.toISOString(),
    worker: safe(id),
    hostname: safe(machine?.hostname ?? id),
    seenAt,
  } as const;
  return { kind: 'event', mark, near: [mark], event: { ...event, id: safe(mark) } };
}

function changeFound(
  change: FoundChange,
  { at, dashboard }: { readonly at: Date; readonly dashboard: string | null },
): Found {
  const direction = directionOf(change);
  const { id, method, quantity, basis, ratio, low, high, confidence, after, until, first, near } = change;
  return {
    kind: 'event',
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
      basis,
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

/** The lines that say what became of changes, where the log does not say so yet. */
function coursesOf(
  log: AlertLog,
  { found, asEvents }: { readonly found: readonly FoundChange[]; readonly asEvents: readonly Found[] },
): readonly AlertEntry[] {
  const byMark = new Map(asEvents.flatMap(({ near }, index) => near.map((mark) => [mark, found[index]] as const)));
  const known = [...log.events, ...asEvents.filter((entry) => !log.knows(entry))];
  return known.flatMap((entry): readonly AlertEntry[] => {
    if (entry.event.kind !== 'change') return [];
    const now = courseOf(byMark.get(entry.mark));
    const before = log.courseOf(entry);
    return now.is === before.is && now.by === before.by ? [] : [{ kind: 'course', mark: entry.mark, ...now }];
  });
}

function courseOf(change: FoundChange | undefined): Course {
  if (change === undefined) return { is: 'gone', by: null };
  const { basis, returned } = change;
  if (basis === 'pair') return { is: 'unconfirmed', by: null };
  return returned === null
    ? { is: 'confirmed', by: null }
    : { is: 'returned', by: returned.commits.B === null ? null : safe(returned.commits.B.label) };
}

/** The steps that the issues of a channel need. */
function stepsOf(
  channel: AlertChannel,
  { log, triage }: { readonly log: AlertLog; readonly triage: readonly ChangeTriage[] },
): readonly IssueStep[] {
  return log.pending(channel.name).flatMap((found) => {
    const { event } = found;
    if (event.kind !== 'change' || !isWanted(event, channel)) return [];
    const decision = decisionOn(found, triage);
    return issueStep({ ...found, event }, { channel: channel.name, log, decision }) ?? [];
  });
}

function canaryFound({ kind, host, name, point, near, ratio }: CanaryAlarm, at: Date): Found {
  const marks = [point.experiment, ...near].map((experiment) =>
    markOf(`canary ${kind} ${seriesKey(name)} ${host} ${experiment}`),
  );
  const [mark = ''] = marks;
  return {
    kind: 'event',
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
  const { id, label, committedAt, subject, author } = commit;
  return {
    id: safe(id),
    label: safe(label),
    committedAt: committedAt === null ? null : safe(committedAt),
    ...(subject === undefined ? {} : { subject: safe(subject) }),
    ...(author === undefined ? {} : { author: safe(author) }),
  };
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
function decisionOn({ near }: Found, triage: readonly ChangeTriage[]): ChangeEvent['decision'] {
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
export function openAlerts(
  options: AlertsOptions & { readonly openHistory: (signal: AbortSignal) => Promise<History> },
): OpenAlerts {
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
