import { createHash } from 'node:crypto';
import { beginningOf } from '@deadheat/model/text';
import {
  countOf,
  formatChosenShare,
  formatDifference,
  nameOf,
  percentDigits,
  printable,
  shorten,
} from '@deadheat/report';
import { commitText } from '../html/words.ts';
import { triageStateSchema } from '@deadheat/history';
import type { AlertEvent, AlertMessage, ChangeEvent } from './alert.ts';
import type { FleetWorker } from '@deadheat/fleet';

/** Longest text of a name in a message, UTF-16 units. */
const mostName = 500;
/** Longest parts of a line of text: a line of mail has at most 998 bytes (RFC 5322, 2.1.1), and a unit at most 3. */
const mostInLine = 100;
const mostSubject = 150;

/**
 * A text of a recording or a fleet as a message has it: on one line, without characters that steer a terminal, a mail or the direction of
 * text, and not too long. Who pushes recordings chooses names, and the recipient must be able to trust the rest of the message.
 */
export function safe(text: string): string {
  return beginningOf(printable(text).replaceAll(/\p{Cs}/gu, '\uFFFD'), mostName);
}

/** The content of a message. */
export interface Content {
  readonly kind: AlertMessage['kind'];
  readonly channel: string;
  readonly at: Date;
  /** The newest first in a digest, else in the order in which they were found. */
  readonly events: readonly AlertEvent[];
  readonly digest: AlertMessage['digest'];
}

/** The message about events, with its text. It has the same id whenever it is made of the same events. */
export function messageOf({ kind, channel, at, events, digest }: Content): AlertMessage {
  const what = [kind, channel, digest?.to ?? '', ...events.map(({ id }) => id)];
  return {
    schema: 'deadheat.alert/1',
    kind,
    id: `msg_${createHash('sha256').update(JSON.stringify(what)).digest('base64url').slice(0, 24)}`,
    at: at.toISOString(),
    channel,
    subject: subjectOf(kind, events),
    text: digest === null ? alertText(kind, events) : digestText(events, digest),
    events: [...events],
    digest,
  };
}

function subjectOf(kind: AlertMessage['kind'], events: readonly AlertEvent[]): string {
  const lead = { alert: 'deadheat', digest: 'deadheat digest', test: 'deadheat test' }[kind];
  const [first] = events;
  if (kind === 'alert' && first !== undefined && events.length === 1) {
    return shorten(`${lead}: ${headlineOf(first)}`, mostSubject);
  }
  return `${lead}: ${tallyOf(events)}`;
}

/** The number of events of each kind, in words. */
function tallyOf(events: readonly AlertEvent[]): string {
  const counts = [
    [events.filter((event) => event.kind === 'change' && event.direction === 'slower').length, 'slower'],
    [events.filter((event) => event.kind === 'change' && event.direction === 'faster').length, 'faster'],
  ].flatMap(([count, word]) => (count === 0 ? [] : [`${count} ${word}`]));
  const canaries = events.filter(({ kind }) => kind === 'canary').length;
  const workers = events.filter(({ kind }) => kind === 'worker').length;
  const more = [
    ...(canaries === 0 ? [] : [canaries === 1 ? '1 canary fired' : `${canaries} canaries fired`]),
    ...(workers === 0 ? [] : [`${countOf(workers, 'worker')} gone`]),
  ];
  return [...counts, ...more].join(', ') || 'nothing changed';
}

function headlineOf(event: AlertEvent): string {
  if (event.kind === 'worker') return `worker ${short(event.worker)} on ${short(event.hostname)} is gone`;
  const { low, high, ratio } = event;
  const size = formatDifference(ratio, percentDigits({ low, high }));
  return event.kind === 'canary'
    ? `canary ${short(event.benchmark)} on ${short(event.hostname)} ${canaryWords[event.what].verb} ${size}`
    : `${event.direction} ${size} ${seriesOf(event)}`;
}

const canaryWords = {
  differs: {
    verb: 'differs from itself by',
    meaning: 'it differs from itself: do not trust comparisons of this machine until the cause is found',
  },
  level: { verb: 'changed by', meaning: 'its time changed: the machine became faster or slower' },
} as const;

function seriesOf(event: ChangeEvent): string {
  return `${short(event.project)}: ${short(nameOf(event))}, ${event.method}`;
}

function short(text: string): string {
  return shorten(text, mostInLine);
}

function alertText(kind: AlertMessage['kind'], events: readonly AlertEvent[]): string {
  const lead = kind === 'test' ? 'This is a test. The events below are made up.\n\n' : '';
  return `${lead}${tallyOf(events)}\n\n${events.map(eventText).join('\n')}`;
}

function eventText(event: AlertEvent): string {
  if (event.kind === 'worker') {
    return `GONE    worker ${short(event.worker)} on ${short(event.hostname)}, last seen ${momentText(event.seenAt)}\n`;
  }
  const size = sizeOf(event);
  if (event.kind === 'canary') {
    return (
      `CANARY  ${size}  ${short(event.benchmark)} on ${short(event.hostname)}\n` +
      `        ${momentText(event.measuredAt)}; ${canaryWords[event.what].meaning}\n`
    );
  }
  const [after, until] = [event.after, event.until].map((commit) =>
    commit === null ? 'a commit that is not known' : commitText(commit),
  );
  const { decision } = event;
  return [
    `${event.direction.toUpperCase()}  ${size}  ${seriesOf(event)}`,
    `        ${momentText(event.measuredAt)}, after ${after ?? ''} and until ${until ?? ''}`,
    ...(decision === null
      ? []
      : [
          `        ${[decision.state, ...(decision.ticket === null ? [] : [short(decision.ticket)])].join(' ')}, ${decision.by}`,
        ]),
    ...(event.url === null ? [] : [`        ${event.url}`]),
    '',
  ].join('\n');
}

function sizeOf({ low, high, ratio, confidence }: Exclude<AlertEvent, { kind: 'worker' }>): string {
  const digits = percentDigits({ low, high });
  const interval = `[${formatDifference(low, digits)} … ${formatDifference(high, digits)}]`;
  return `${formatDifference(ratio, digits)}  ${interval} at ${formatChosenShare(confidence)}`;
}

/** The parts of a change's line and headline, as plain text. */
export function eventParts(event: ChangeEvent): Readonly<Record<'headline' | 'size' | 'series' | 'measured', string>> {
  return {
    headline: shorten(headlineOf(event), mostSubject),
    size: sizeOf(event),
    series: seriesOf(event),
    measured: momentText(event.measuredAt),
  };
}

function digestText(events: readonly AlertEvent[], digest: NonNullable<AlertMessage['digest']>): string {
  const { from, to, more, decisions, workers } = digest;
  const states = triageStateSchema.options.map((state) => `${decisions[state] ?? 0} ${state}`).join(', ');
  const fleet =
    workers === null
      ? []
      : [
          '',
          `Workers: ${(['idle', 'busy', 'gone', 'left'] as const)
            .map((state) => `${workers.filter((worker) => worker.state === state).length} ${state}`)
            .join(', ')}`,
          ...workers
            .filter(({ state }) => state === 'gone')
            .map(({ id, hostname }) => `  gone: ${short(id)} on ${short(hostname)}`),
        ];
  return [
    `What changed from ${momentText(from)} until ${momentText(to)}: ${tallyOf(events)}`,
    '',
    ...(events.length === 0 ? [] : [events.map(eventText).join('\n')]),
    ...(more === 0 ? [] : [`and ${more} more`, '']),
    `All changes that are found now, by decision: ${states}`,
    ...fleet,
    '',
  ].join('\n');
}

function momentText(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? safe(time) : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The workers of a fleet as a digest lists them. */
export function workersOf(workers: readonly FleetWorker[]): NonNullable<AlertMessage['digest']>['workers'] {
  return workers.map(({ id, machine, state, left }) => ({
    id: safe(id),
    hostname: safe(machine?.hostname ?? id),
    state: state === 'gone' && left === true ? 'left' : state,
  }));
}

/** Events that stand for real ones in a message that tries a channel. */
export function sampleEvents(at: Date, dashboard: string | null): readonly AlertEvent[] {
  const time = at.toISOString();
  const size = { ratio: 1.031, low: 1.025, high: 1.037, confidence: 0.99 };
  return [
    {
      kind: 'change',
      id: 'sample-change',
      foundAt: time,
      project: 'sample',
      benchmark: 'parse',
      params: { size: '5' },
      method: 'tandem',
      direction: 'slower',
      quantity: 'ratio',
      basis: 'levels',
      ...size,
      after: { id: '91554fc', label: '91554fc', committedAt: null },
      until: { id: 'd05e895', label: 'd05e895', committedAt: null },
      experiment: 'sample-experiment',
      measuredAt: time,
      url: dashboard,
      decision: null,
    },
    {
      kind: 'worker',
      id: 'sample-worker',
      foundAt: time,
      worker: 'sample-worker',
      hostname: 'sample-host',
      seenAt: time,
    },
  ];
}
