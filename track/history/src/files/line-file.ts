import { open, readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type ChangeTriage, changeTriageSchema, type HistoryNote, historyNoteSchema } from '../history.ts';

/** A file of a folder that holds an entry each line; it is only appended to. */
interface LineFile<Entry> {
  readonly name: string;
  /** The entry of a line; `null` = it is none. */
  readonly parse: (line: string) => Entry | null;
}

/** The decisions about changes. */
export const triageFile: LineFile<ChangeTriage> = {
  name: 'triage-1.jsonl',
  parse: (line) => changeTriageSchema.safeParse(parsed(line)).data ?? null,
};

/** The notes of a topic. */
export function noteFile(topic: string): LineFile<HistoryNote> {
  return { name: `notes-${topic}-1.jsonl`, parse: (line) => historyNoteSchema.safeParse(parsed(line)).data ?? null };
}

/** Every complete entry, in the order of the file; a line that a crash left incomplete is skipped. */
export async function readLines<Entry>(path: string, { parse }: LineFile<Entry>): Promise<readonly Entry[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => parse(line) ?? []);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

/** Adds an entry, which is on the device when this returns. */
export async function addLine(path: string, entry: object): Promise<void> {
  const file = await open(path, 'a');
  try {
    // The line feed before it ends a line that a crash left incomplete.
    await file.appendFile(`\n${JSON.stringify(entry)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Topic of the notes that are the leases of a folder. */
export const leaseTopic = 'leases';

const leaseNoteSchema = z.object({
  name: z.string(),
  holder: z.string(),
  /** ISO 8601; a lease that is given back has the time of that here. */
  until: z.string(),
  renews: z.boolean(),
});
export type LeaseNote = Readonly<z.infer<typeof leaseNoteSchema>>;

/**
 * The last note that counts of every lease, by name: one that takes the lease while it is free, over or the same holder's, or renews it before
 * anybody else has taken it. All who read the notes in their order agree on it.
 */
export function lastLeases(notes: readonly HistoryNote[]): ReadonlyMap<string, LeaseNote> {
  const leases = new Map<string, LeaseNote>();
  for (const { at, content } of notes) {
    const { data } = leaseNoteSchema.safeParse(content);
    if (data === undefined) continue;
    const held = leases.get(data.name);
    const isOwn = held?.holder === data.holder;
    const isFree = held === undefined || Date.parse(held.until) <= Date.parse(at);
    if (isOwn || (isFree && !data.renews)) leases.set(data.name, data);
  }
  return leases;
}

/** The holders of the leases that are not over at a time, by name. */
export function holdersOf(notes: readonly HistoryNote[], at: string): ReadonlyMap<string, string> {
  const held = [...lastLeases(notes).values()].filter(({ until }) => Date.parse(until) > Date.parse(at));
  return new Map(held.map(({ name, holder }) => [name, holder]));
}
