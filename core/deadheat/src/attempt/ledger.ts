import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AttemptEntry,
  type CommitOf,
  DeadheatError,
  type EndEntry,
  type LedgerEntry,
  ledgerEntrySchema,
  type StartEntry,
} from '@deadheat/model';
import { writeNamedFile } from '@deadheat/recording';
import { UsageError } from '../errors/usage-error.ts';
import { type Budget, budgetAfter } from './budget.ts';

/*
 * The ledger of a loop of attempts: a file of JSON lines, which grows by whole lines.
 */

/** The state of a loop, as its ledger has it. */
export interface LoopState {
  readonly start: StartEntry;
  readonly attempts: readonly AttemptEntry[];
  /** `null` = the loop goes on. */
  readonly end: EndEntry | null;
  /** The state that the next attempt is compared with. */
  readonly best: CommitOf;
  /** Number of the next attempt. */
  readonly next: number;
  readonly budget: Budget;
  /** Attempts that ended while they were measured, and have spent their share. */
  readonly interrupted: number;
}

/** Folder of all loops, from the current folder. */
export const loopsFolder: string = join('.deadheat', 'attempts');
const file = 'ledger.jsonl';

/** Path of the ledger of a loop. */
export function ledgerOf(folder: string): string {
  return join(folder, file);
}

/** Names of the loops of the current folder, in alphabetical order. */
export function loopNames(): readonly string[] {
  if (!existsSync(loopsFolder)) return [];
  return readdirSync(loopsFolder).filter((name) => existsSync(ledgerOf(join(loopsFolder, name))));
}

/** Folder of the recording of an attempt, in that of its loop. */
export function recordingName(number: number): string {
  return String(number).padStart(3, '0');
}

/**
 * Reads a ledger. A last line without its end does not count.
 *
 * @throws DeadheatError `NOT_READABLE`, and `MALFORMED` with the number of the line
 */
export function readLedger(folder: string): LoopState {
  const path = ledgerOf(folder);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new DeadheatError('NOT_READABLE', `${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  const entries = text
    .split('\n')
    .slice(0, -1)
    .map((line, index) => parseLine(line, { path, number: index + 1 }));
  const [start, ...rest] = entries;
  if (start?.kind !== 'start') throw malformed(path, 1, 'it does not begin a loop');
  const attempts = rest.filter((entry) => entry.kind === 'attempt');
  const kept = attempts.findLast(({ answer }) => answer === 'keep');
  const listed = new Set(attempts.map(({ number }) => number));
  const begun = readdirSync(folder).map((name) => Number(/^(\d{3,})$/.exec(name)?.[1] ?? 0));
  const interrupted = begun.filter((number) => number > 0 && !listed.has(number)).length;
  const measured = attempts.filter(({ confidence }) => confidence !== null).length;
  return {
    start,
    attempts,
    end: rest.find((entry) => entry.kind === 'end') ?? null,
    best: kept?.commit ?? start.baseline,
    next: Math.max(0, ...listed, ...begun) + 1,
    budget: budgetAfter(start.error, measured + interrupted),
    interrupted,
  };
}

function parseLine(line: string, at: { readonly path: string; readonly number: number }): LedgerEntry {
  let data: unknown;
  try {
    data = JSON.parse(line);
  } catch {
    throw malformed(at.path, at.number, 'it is no JSON');
  }
  const read = ledgerEntrySchema.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw malformed(at.path, at.number, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}

function malformed(path: string, line: number, why: string): DeadheatError {
  return new DeadheatError('MALFORMED', `${path}, line ${line}: ${why}.`, {
    hint: 'Put back the line as it was committed or copied; nothing else of the loop is lost.',
  });
}

/**
 * Adds a line: the file is replaced as a whole, so that a kill leaves the old one or the new one. The caller holds the lock.
 *
 * @throws RecordError `DISK_FULL`, `NOT_WRITABLE` or `IO`
 */
export async function appendEntry(folder: string, entry: LedgerEntry): Promise<void> {
  const path = ledgerOf(folder);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = before.slice(0, before.lastIndexOf('\n') + 1);
  await writeNamedFile(path, async (file) => file.writeFile(`${whole}${JSON.stringify(entry)}\n`));
}

/**
 * The folder of a loop.
 *
 * @param name `null` = the only loop that goes on, or where all have ended the last by its name
 * @throws UsageError for a name that is none, and where several go on; DeadheatError `NOT_FOUND` without a loop
 */
export function findLoop(name: string | null): string {
  const names = loopNames();
  if (name !== null) {
    if (names.includes(name)) return join(loopsFolder, name);
    throw new UsageError('BAD_VALUE', `there is no loop of attempts called ${name} here`, {
      hint: names.length === 0 ? 'deadheat attempt start begins one.' : `There are ${names.join(', ')}.`,
    });
  }
  const open = names.filter((one) => readLedger(join(loopsFolder, one)).end === null);
  const [only] = open.length === 0 ? names.slice(-1) : open;
  if (only === undefined) {
    throw new DeadheatError('NOT_FOUND', 'There is no loop of attempts in this folder.', {
      hint: 'Begin one where its command is executed: deadheat attempt start -- COMMAND.',
    });
  }
  if (open.length > 1) {
    throw new UsageError('CONFLICT', `several loops of attempts go on here: ${open.join(', ')}`, {
      hint: `Name one: --loop ${only}.`,
    });
  }
  return join(loopsFolder, only);
}
