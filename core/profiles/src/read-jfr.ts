import type { Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import type { ClockOffset } from './profile-clock.ts';
import { type ExecutionProfile, ProfileBuilder } from './profile-builder.ts';
import { DeadheatError } from '@deadheat/model';

/** Kinds of code of HotSpot: code without a compilation event, such as code from before the recording, lies between interpreter and C1. */
export const hotspotKinds: readonly string[] = [
  'native',
  'virtual machine',
  'garbage collector',
  'compiler',
  'interpreter',
  'unknown',
  'level 1',
  'level 2',
  'level 3',
  'level 4',
];

interface Frame {
  readonly method: {
    readonly type: { readonly name: string };
    readonly name: string;
    readonly descriptor: string;
  };
  readonly type: string;
}

interface Compilation {
  readonly installedNs: number;
  readonly place: number;
}

const secondNs = 1_000_000_000n;
/** Code made by the compiler that optimizes most, C2. */
const lastLevel = 4;
/** Native methods in which a thread waits for something: the kernel knows that it does not run, JFR does not. */
const waiting = /(wait|poll|select|accept|connect|recv|socketRead|read0|park|sleep)/i;

/**
 * Reads events of a recording of JFR: at each `jdk.ExecutionSample` a thread was in the code that its topmost frame belongs to, which is
 * that of the method it was inlined into; its level is that of the last `jdk.Compilation` of that method that had ended by then. Threads
 * inside the virtual machine are not sampled by JFR. At each `jdk.NativeMethodSample` a thread was in a native method; it counts where the
 * thread also ran Java code, unless it is a method in which threads wait.
 *
 * @param clock the offset of the wall clock, which JFR reports, from CLOCK_MONOTONIC.
 * @throws DeadheatError `PROFILE_MALFORMED` for an event that lacks a field, `PROFILE_MISSING` without samples.
 */
export async function readJfr(
  events: AsyncIterable<JfrEvent>,
  { name, clock }: { readonly name: string; readonly clock: ClockOffset & { readonly originNs: bigint } },
): Promise<ExecutionProfile> {
  const compiled: { readonly method: string; readonly level: number; readonly installedNs: number }[] = [];
  const samples: { readonly timeNs: number; readonly method: string | null; readonly kind: string }[] = [];
  const natives: { readonly timeNs: number; readonly thread: string }[] = [];
  const threads = new Set<string>();
  for await (const { type, values } of events) {
    try {
      if (type === 'jdk.Compilation' && values['succeded'] !== false) {
        const startNs = sinceNs(String(values['startTime']), clock.originNs);
        const installedNs = startNs + durationNs(String(values['duration']));
        compiled.push({
          method: nameOf(values as unknown as Frame),
          level: Number(values['compileLevel']),
          installedNs,
        });
      } else if (type === 'jdk.ExecutionSample') {
        const trace = values['stackTrace'] as { readonly frames: readonly Frame[] } | null;
        const timeNs = sinceNs(String(values['startTime']), clock.originNs);
        samples.push({ timeNs, ...placeOfTrace(trace?.frames ?? []) });
        threads.add(threadOf(values));
      } else if (type === 'jdk.NativeMethodSample') {
        const trace = values['stackTrace'] as { readonly frames: readonly Frame[] } | null;
        const called = trace?.frames[0]?.method.name ?? '';
        const timeNs = sinceNs(String(values['startTime']), clock.originNs);
        if (called !== '' && !waiting.test(called)) natives.push({ timeNs, thread: threadOf(values) });
      }
    } catch (cause) {
      throw new DeadheatError(
        'PROFILE_MALFORMED',
        `${name}: an event ${type} is not as JDK 17 or later writes it: ${(cause as Error).message}. Use the jfr of the same JDK.`,
        { cause },
      );
    }
  }
  if (samples.length === 0) {
    throw new DeadheatError('PROFILE_MISSING', `${name} has no samples of running code: let the program run longer.`);
  }
  for (const { timeNs, thread } of natives) {
    if (threads.has(thread)) samples.push({ timeNs, method: null, kind: 'native' });
  }
  return join(
    compiled,
    samples.sort((a, b) => a.timeNs - b.timeNs),
  ).build(hotspotKinds, clock);
}

function join(
  compiled: readonly { readonly method: string; readonly level: number; readonly installedNs: number }[],
  samples: readonly { readonly timeNs: number; readonly method: string | null; readonly kind: string }[],
): ProfileBuilder {
  const builder = new ProfileBuilder();
  const plain = new Map<string, number>();
  function placeOf(kind: string, method: string | null): number {
    const key = `${kind} ${method}`;
    let place = plain.get(key);
    if (place === undefined)
      plain.set(key, (place = builder.addCode({ kind, method, isLastTier: false, madeNs: -Infinity })));
    return place;
  }
  // Methods without a compilation event were compiled before every one that has an event.
  const known = new Map<string, Compilation[]>();
  for (const { method, kind } of samples) if (kind === 'compiled') placeOf('unknown', method);
  for (const { method, level, installedNs } of compiled.toSorted((a, b) => a.installedNs - b.installedNs)) {
    const kind = level >= 1 && level <= lastLevel ? `level ${level}` : 'unknown';
    const place = builder.addCode({ kind, method, isLastTier: level === lastLevel, madeNs: installedNs });
    const list = known.get(method);
    if (list === undefined) known.set(method, [{ installedNs, place }]);
    else list.push({ installedNs, place });
  }
  for (const { timeNs, method, kind } of samples) {
    if (kind !== 'compiled' || method === null) builder.addSample(timeNs, placeOf(kind, null));
    else {
      const latest = known.get(method)?.findLast(({ installedNs }) => installedNs <= timeNs);
      builder.addSample(timeNs, latest?.place ?? placeOf('unknown', method));
    }
  }
  return builder;
}

/** The compiled method that the topmost frame belongs to, else the kind of the frame. */
function placeOfTrace(frames: readonly Frame[]): { readonly method: string | null; readonly kind: string } {
  const [top] = frames;
  if (top === undefined) return { method: null, kind: 'unknown' };
  if (top.type === 'Interpreted') return { method: null, kind: 'interpreter' };
  if (top.type === 'Native') return { method: null, kind: 'native' };
  const body = frames.find(({ type }) => type === 'JIT compiled');
  return body === undefined ? { method: null, kind: 'unknown' } : { method: nameOf(body), kind: 'compiled' };
}

function threadOf(values: JfrEvent['values']): string {
  const thread = values['sampledThread'] as { readonly osThreadId?: number; readonly javaName?: string } | null;
  return `${thread?.osThreadId ?? thread?.javaName ?? ''}`;
}

function nameOf({ method: { type, name, descriptor } }: Pick<Frame, 'method'>): string {
  return `${type.name}.${name}${descriptor}`;
}

/** ISO time with up to nine decimals, as ns since `originNs` of the Unix epoch: whole ns of the epoch are no exact floats. */
function sinceNs(iso: string, originNs: bigint): number {
  const match = /^(.*T\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(iso);
  const seconds = match === null ? Number.NaN : Date.parse(`${match[1]}${match[3]}`) / 1000;
  if (match === null || Number.isNaN(seconds)) throw new Error(`'${iso}' is no time`);
  return Number(BigInt(seconds) * secondNs + BigInt((match[2] ?? '').padEnd(9, '0')) - originNs);
}

function durationNs(iso: string): number {
  const match = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(iso);
  if (match === null) throw new Error(`'${iso}' is no duration`);
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1e9;
}

/** An event as `jfr print --json` writes it. */
interface JfrEvent {
  readonly type: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const opening = /^ {4}"events": \[\{/;
const between = /^ {4}\}, \{/;
const closing = /^ {4}\}\]/;

/**
 * The events in what `jfr print --json` writes, one at a time: a recording may be larger than memory. They are distinguished by how that
 * command indents them.
 *
 * @throws DeadheatError `PROFILE_MALFORMED` with the line of an event that is no JSON, and for text that ends inside the events.
 */
export async function* jfrEvents(text: Readable, name: string): AsyncGenerator<JfrEvent> {
  let lines: string[] | null = null;
  let first = 0;
  let number = 0;
  let isClosed = false;
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    number++;
    if (lines === null) {
      if (/^ {4}"events": \[\]/.test(line)) isClosed = true;
      if (!opening.test(line)) continue;
      lines = [];
      first = number;
    } else if (between.test(line) || closing.test(line)) {
      yield parse(lines, `${name}:${first}`);
      isClosed = closing.test(line);
      lines = isClosed ? null : [];
      first = number;
    } else lines.push(line);
  }
  if (!isClosed) {
    throw new DeadheatError('PROFILE_MALFORMED', `${name}:${number}: the events do not end; ${remedy}`);
  }
}

function parse(lines: readonly string[], where: string): JfrEvent {
  try {
    return JSON.parse(`{${lines.join('\n')}}`) as JfrEvent;
  } catch (cause) {
    throw new DeadheatError('PROFILE_MALFORMED', `${where}: this event is no JSON; ${remedy}`, { cause });
  }
}

const remedy = 'it must be what jfr print --json of JDK 17 or later writes.';
