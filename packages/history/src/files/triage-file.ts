import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changeTriageSchema, type ChangeTriage } from '@deadheat/model';

/** The file of a folder that holds what was decided about changes, an entry each line; it is only appended to. */
const triageName = 'triage-1.jsonl';

/** Every complete entry, in the order of the file; a line that a crash left incomplete is skipped. */
export async function readTriage(directory: string): Promise<readonly ChangeTriage[]> {
  let text: string;
  try {
    text = await readFile(join(directory, triageName), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    const entry = changeTriageSchema.safeParse(parsed(line));
    return entry.success ? [entry.data] : [];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

/** Adds an entry, which is on the device when this returns. */
export async function addTriage(directory: string, entry: ChangeTriage): Promise<void> {
  const file = await open(join(directory, triageName), 'a');
  try {
    // The line feed before it ends a line that a crash left incomplete.
    await file.appendFile(`\n${JSON.stringify(entry)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}
