import { open, readFile } from 'node:fs/promises';
import { changeTriageSchema, type ChangeTriage } from '../triage.ts';
import { historyNoteSchema, type HistoryNote } from '../history-point.ts';

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
  return {
    name: `notes-${topic}-1.jsonl`,
    parse: (line) => historyNoteSchema.safeParse(parsed(line)).data ?? null,
  };
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
