import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPage, pageBytes, pageMagic, pageVersion, type Page } from '@deadheat/sync';
import type { Waiting } from './waiting.ts';
import type { Scenario } from './scenario.ts';

/** One line of a record as the program wrote it, unchecked; NaN where a number is not there. */
export interface ObservedLine {
  readonly kind: 'benchmark' | 'iteration' | 'other';
  readonly i: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly warmup: boolean;
}

/** What the page and the record held when the program was seen at a barrier. */
export interface Arrival {
  /** Barrier of the scenario, from 1. */
  readonly barrier: number;
  /** Whether the program was seen here; `false` = it could pass unseen, and the rest is as at the barrier before. */
  readonly wasSeen: boolean;
  /** How far the program's cursor was beyond this barrier; above 0 = it has not waited. */
  readonly ahead: number;
  /** Lines of the record. */
  readonly benchmarks: number;
  readonly iterations: number;
  readonly workDone: number;
  readonly state: number;
  readonly pid: number;
  /** Whether there was a process of that id. */
  readonly pidLives: boolean;
  readonly benchmark: number;
  readonly startedMs: number;
  /** What the decision for this barrier is, by the rules. */
  readonly decided: number;
  /** What the program stored as side A; `null` for side B. */
  readonly stored: number | null;
  /** Just before the peer arrived, ns of CLOCK_MONOTONIC; `null` = it never came. */
  readonly releasedNs: number | null;
  /** With DEADHEAT_WAIT=yield: what the program did until the peer came; `null` = not known. */
  readonly waiting: Waiting | null;
  /** With a peer that works longer: whether the program came to the next barrier before the peer was done. */
  readonly cameBeforePeerWasDone: boolean;
}

/** What was seen of a program in one scenario. */
export interface Observation {
  readonly side: 'A' | 'B';
  readonly startedNs: number;
  readonly endedNs: number;
  /** Time of day when it was over, ns since 1970. */
  readonly wallClockNs: number;
  readonly arrivals: readonly Arrival[];
  readonly lines: readonly ObservedLine[];
  /** Why the record cannot be read; `null` = it can, or there is none to read. */
  readonly recordError: string | null;
  /** `null` = it did not end in time and was ended. */
  readonly status: number | null;
  readonly signal: string | null;
  /** What it was waited for in vain; `null` = nothing. */
  readonly waitedFor: string | null;
  readonly finalState: number;
  readonly finalPid: number;
  /** Whether the file that DEADHEAT_PAGE named changed though it was no page of this version. */
  readonly pageTouched: boolean;
  readonly stderr: string;
}

/** Version of the page that a program must refuse. */
export const newerPageVersion: number = pageVersion + 6;

/** What DEADHEAT_PAGE names in a scenario. */
interface PageFile {
  /** Empty = there is none. */
  readonly path: string;
  /** The page, when it is one. */
  readonly page: Page | null;
  /** Whether the file is not as it was made; `false` for a page. */
  readonly isTouched: () => boolean;
}

/** Makes what DEADHEAT_PAGE is to name: a page in `shared`, or a file in `folder` that is none. */
export function makePageFile(
  kind: Scenario['page'],
  { shared, folder }: { readonly shared: string; readonly folder: string },
): PageFile {
  if (kind === 'none') return { path: '', page: null, isTouched: () => false };
  if (kind === 'page') {
    const page = createPage(shared);
    return { path: page.path, page, isTouched: () => false };
  }
  const path = join(folder, 'page');
  const bytes = contentOf(kind);
  writeFileSync(path, bytes);
  return { path, page: null, isTouched: () => !readFileSync(path).equals(bytes) };
}

function contentOf(kind: 'newer' | 'foreign' | 'short'): Buffer {
  if (kind === 'short') return Buffer.from('DHPG');
  if (kind === 'foreign') return Buffer.alloc(pageBytes, 'x');
  const bytes = Buffer.alloc(pageBytes);
  new Int32Array(bytes.buffer, bytes.byteOffset, 3).set([pageMagic, newerPageVersion, 2]);
  return bytes;
}

/** Whole lines of a record, whatever they hold; empty when there is no file. */
export function readObservedLines(path: string): readonly ObservedLine[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').slice(0, -1).map(toLine);
}

const other: ObservedLine = { kind: 'other', i: NaN, startNs: NaN, endNs: NaN, warmup: false };

function toLine(text: string): ObservedLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return other;
  }
  if (typeof value !== 'object' || value === null) return other;
  const { deadheat, i, s, e, p } = value as Readonly<Record<string, unknown>>;
  if (deadheat !== undefined) return { ...other, kind: 'benchmark' };
  return { kind: 'iteration', i: toNumber(i), startNs: toNumber(s), endNs: toNumber(e), warmup: p === 'warmup' };
}

function toNumber(value: unknown): number {
  return typeof value === 'number' ? value : NaN;
}
