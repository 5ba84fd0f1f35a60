import { closeSync, openSync, writeSync } from 'node:fs';
import { analyseRecorded, findRecording, TrialRecords } from '@deadheat/engine';
import { UsageError } from 'deadheat/settings';
import type { Terminal } from '../terminal/terminal.ts';
import type { ExportFormat } from '../export/formats/export-format.ts';

/** A recording, a format and where to. */
interface RecordingExport {
  readonly format: ExportFormat;
  /** Folder of a recording. */
  readonly path: string;
  /** `null` = standard output. */
  readonly output: string | null;
}

/**
 * Writes a recording in another format, and to standard error what the format has no place for.
 *
 * @throws UsageError for a recording without a run that counts.
 */
export async function exportRecording(
  { format, path, output }: RecordingExport,
  { stdout, stderr }: Terminal,
): Promise<void> {
  const recording = await findRecording(path);
  const { directory, trials } = recording;
  if (!trials.some(({ status, phase }) => status === 'ok' && phase === 'measure')) {
    throw new UsageError('BAD_VALUE', `${path} holds no run that counts, so there is nothing to export`, {
      hint: `Finish it: deadheat --resume '${directory}'`,
    });
  }
  const records = await new TrialRecords(directory).read(trials);
  const { content, losses } = await format.make({ recording, records, report: () => analyseRecorded(directory) });
  if (content.kind === 'file') {
    if (output === null) throw new RangeError(`${format.id} needs a file`);
    await content.write(output);
  } else if (output === null) for (const piece of content.pieces) stdout.write(piece);
  else writePieces(output, content.pieces);
  for (const loss of losses) stderr.write(`deadheat: ${loss}\n`);
}

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'w');
  try {
    for (const piece of pieces) writeSync(file, piece);
  } finally {
    closeSync(file);
  }
}
