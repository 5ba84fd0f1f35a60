import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { crc32 } from 'node:zlib';
import { LineOrder, type LineSeal, readSeal, recordingFiles, trialSchema, type Trial } from '@deadheat/model';
import { HistoryError } from '../history-error.ts';

/**
 * The trials of a recording's journal, one after the other; a last line that a crash left incomplete is skipped.
 *
 * @throws HistoryError `MALFORMED_RECORDING` for any other line that is not a trial, or not as it was written
 */
export async function* journalTrials(directory: string): AsyncGenerator<Trial, undefined> {
  const path = join(directory, recordingFiles.trials);
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity });
  const order = new LineOrder();
  let number = 0;
  let torn: number | null = null;
  for await (const line of lines) {
    number += 1;
    if (torn !== null) throw malformed(path, torn);
    const found = toTrial(line);
    if (found === null) torn = number;
    else {
      if (order.next(found.seal, found.trial.trial) !== null) throw malformed(path, number);
      yield found.trial;
    }
  }
  return undefined;
}

function toTrial(line: string): { readonly trial: Trial; readonly seal: LineSeal } | null {
  try {
    const value: unknown = JSON.parse(line);
    return { trial: trialSchema.parse(value), seal: readSeal(line, { value, crc32 }) };
  } catch {
    return null;
  }
}

function malformed(path: string, line: number): HistoryError {
  return new HistoryError(
    'MALFORMED_RECORDING',
    `${path}:${line} is no trial that this deadheat can read; deadheat analyse shows more. Nothing was stored.`,
  );
}
