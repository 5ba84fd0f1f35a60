import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { recordingFiles, sides, trialSchema, type Trial } from '@deadheat/model';
import { writeAtomically } from './durable-files.ts';
import { sealLine, unsealLine } from './journal.ts';
import { readExperiment } from './read-recording.ts';
import { brokenSeal } from './record-seal.ts';
import { readFailure, writeFailure } from './record-error.ts';
import { lockRecording } from './recording-lock.ts';

/** A line of a journal that a repair leaves out. */
export interface DroppedLine {
  /** From 1, in the damaged file. */
  readonly line: number;
  /** Why, such as `its checksum does not fit`. */
  readonly why: string;
}

/** The result of a repair, or of its dry run. */
export interface Repair {
  /** Lines that are whole. */
  readonly kept: number;
  readonly dropped: readonly DroppedLine[];
  /** `true` = lines stood in another place than they were written in. */
  readonly moved: boolean;
  /** The file as it was before, beside the journal; `null` = nothing was written. */
  readonly backup: string | null;
}

/**
 * Repairs the journal of a recording: lines that are as they were written are kept, in the order in which they were
 * written; all others, those that stand there twice, and those whose records were changed, are left out. The file is kept as `trials.jsonl.damaged`, and what was made
 * of it (table, report) is removed, because it is made again. Nothing is written where all lines are in order.
 *
 * @param options.write `false` only says what would be done.
 * @throws RecordError as `readRecording`, but for damage of the journal; `RECORDING_IN_USE`, `DISK_FULL`, `NOT_WRITABLE` or `IO`.
 */
export async function repairRecording(directory: string, { write }: { readonly write: boolean }): Promise<Repair> {
  await readExperiment(directory);
  const path = join(directory, recordingFiles.trials);
  if (!write) return { ...sortOut(await readText(path), directory), backup: null };
  try {
    const lock = lockRecording(directory);
    try {
      const { lines, ...found } = sortOut(await readText(path), directory);
      if (found.dropped.length === 0 && !found.moved) return { ...found, backup: null };
      const backup = `${path}.damaged`;
      await copyFile(path, backup);
      await writeAtomically(path, (file) => file.writeFile(lines.map((line) => `${line}\n`).join('')));
      for (const made of [recordingFiles.iterations, recordingFiles.report, recordingFiles.page]) {
        await rm(join(directory, made), { force: true });
      }
      return { ...found, backup };
    } finally {
      lock.release();
    }
  } catch (error) {
    throw writeFailure(error, { path: directory, recording: 'untouched' });
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw readFailure(error, path);
  }
}

interface Sorted extends Omit<Repair, 'backup'> {
  /** Lines of the repaired journal. */
  readonly lines: readonly string[];
}

/** Decides which lines of a journal stay, and where. */
function sortOut(text: string, directory: string): Sorted {
  const dropped: DroppedLine[] = [];
  const byPlace = new Map<number, Trial>();
  const trials = new Set<number>();
  let moved = false;
  const all = text.split('\n');
  if (all.at(-1) === '') all.pop();
  for (const [index, line] of all.entries()) {
    const found = readTrial(line);
    const why = typeof found === 'string' ? found : whyNot(found);
    if (why !== null || typeof found === 'string') {
      dropped.push({ line: index + 1, why: why ?? '' });
      continue;
    }
    trials.add(found.trial.trial);
    moved ||= found.line !== index + 1;
    byPlace.set(found.line, found.trial);
  }
  const sealed = [...byPlace].toSorted(([one], [other]) => one - other);
  const lines = sealed.map(([, trial], k) => sealLine(JSON.stringify(trial), k + 1));
  return { kept: lines.length, dropped, moved, lines };

  function whyNot({ trial, line }: FoundLine): string | null {
    if (byPlace.has(line)) return `line ${line} stands in the journal twice`;
    if (trials.has(trial.trial)) return `trial ${trial.trial} stands in the journal twice`;
    for (const side of sides) {
      const trouble = brokenSeal(directory, trial.sides[side]);
      if (trouble !== null) return `${trial.sides[side].record} was changed after its run: ${trouble}`;
    }
    return null;
  }
}

interface FoundLine {
  readonly trial: Trial;
  /** Place in which it was written, from 1. */
  readonly line: number;
}

/** A line that is whole, or why it is not. */
function readTrial(text: string): FoundLine | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  const sealed = unsealLine(text);
  if (sealed === null) return 'its checksum does not fit';
  const parsed = trialSchema.safeParse(value);
  return parsed.success ? { trial: parsed.data, line: sealed.line } : 'it is no trial';
}
