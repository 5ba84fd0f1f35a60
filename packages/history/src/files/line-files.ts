import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alertEntrySchema, changeTriageSchema, type AlertEntry, type ChangeTriage } from '@deadheat/model';

/*
 * Files of a folder that hold an entry of JSON each line and are only appended to. Several processes may write at the same time: the order of
 * the lines is the order of what happened, for all of them.
 */

/** What was decided about changes. */
export const triageName = 'triage-1.jsonl';
/** The log of alerts. */
export const alertsName = 'alerts-1.jsonl';

/** Adds entries, which are on the device when this returns; a crash may leave the first of them. */
export async function addLines(directory: string, name: string, entries: readonly object[]): Promise<void> {
  const file = await open(join(directory, name), 'a');
  try {
    // The line feed before them ends a line that a crash left incomplete.
    await file.appendFile(`\n${entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')}`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

export async function readTriage(directory: string): Promise<readonly ChangeTriage[]> {
  return (await readLines(directory, triageName)).flatMap((line) => {
    const entry = changeTriageSchema.safeParse(line);
    return entry.success ? [entry.data] : [];
  });
}

export async function readAlerts(directory: string): Promise<readonly AlertEntry[]> {
  return (await readLines(directory, alertsName)).flatMap((line) => {
    const entry = alertEntrySchema.safeParse(line);
    return entry.success ? [entry.data] : [];
  });
}

interface LeaseLine {
  readonly holder: string;
  /** Since the epoch, ms. */
  readonly at: number;
  readonly until: number;
}

/**
 * Takes a lease by a line in `lease-NAME-1.jsonl`: a line counts when no earlier one of another holder was valid at its time. Everybody reads
 * the same order of lines, so that all agree on who has it.
 */
export async function takeLease(
  directory: string,
  name: string,
  { holder, forMs }: { readonly holder: string; readonly forMs: number },
): Promise<boolean> {
  const file = `lease-${name}-1.jsonl`;
  const now = Date.now();
  const before = holderOf(await readLines(directory, file));
  // Who waits for another writes nothing.
  if (before !== null && before.holder !== holder && before.until > now) return false;
  await addLines(directory, file, [{ holder, at: now, until: now + forMs } satisfies LeaseLine]);
  const after = holderOf(await readLines(directory, file));
  return after?.holder === holder && after.until >= now + forMs;
}

function holderOf(lines: readonly unknown[]): LeaseLine | null {
  let held: LeaseLine | null = null;
  for (const line of lines) {
    if (isLeaseLine(line) && (held === null || held.holder === line.holder || line.at >= held.until)) held = line;
  }
  return held;
}

function isLeaseLine(line: unknown): line is LeaseLine {
  const { holder, at, until } = (line ?? {}) as Partial<LeaseLine>;
  return typeof holder === 'string' && typeof at === 'number' && typeof until === 'number';
}

/** Every line that is JSON, in the order of the file; none where there is no file. */
async function readLines(directory: string, name: string): Promise<readonly unknown[]> {
  let text: string;
  try {
    text = await readFile(join(directory, name), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}
