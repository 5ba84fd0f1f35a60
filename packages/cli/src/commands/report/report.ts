import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordingFiles, reportRecorded } from '@deadheat/engine';
import { countOf, renderPage, renderPlots } from '@deadheat/report';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import { UsageError } from 'deadheat/settings';
import { checkWritable } from '../../experiment/finish.ts';
import { openFile } from './open-file.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { writeWhole } from '../../terminal/write-whole.ts';

export interface ReportRequest {
  /** Folder of a recording, or of recordings. */
  readonly path: string;
  /** File to write; `null` = `report.html` of the recording, `-` = standard output. */
  readonly output: string | null;
  /** Folder for the plots; `null` = they are not written. */
  readonly svg: string | null;
  readonly open: boolean;
  readonly segments: boolean | 'auto';
}

/** `deadheat report`: the page of a recording, and its plots. Returns the exit code. */
export async function writeReport(request: ReportRequest, { stdout, stderr, env }: Terminal): Promise<ExitCode> {
  const { path, output, svg, open, segments } = request;
  if (output !== null && output !== '-') checkWritable('--output', output);
  if (svg !== null) makeFolder(svg);
  const { directory, report, points } = await reportRecorded(path, { segments });
  const page = renderPage({ report, points });
  if (output === '-') {
    stdout.write(page);
  } else {
    const file = output ?? join(directory, recordingFiles.page);
    if (output === null) checkWritable('the report', file);
    writeWhole(file, page);
    stdout.write(`${file}\n`);
    if (open) openFile(file, { stderr, env });
  }
  if (svg !== null) {
    const plots = renderPlots({ report, points });
    for (const { name, svg: content } of plots) writeFileSync(join(svg, name), content);
    stderr.write(`${countOf(plots.length, 'plot')} in ${svg}\n`);
  }
  return exitCodes.done;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new UsageError('BAD_VALUE', `--svg '${path}' cannot be made: ${(cause as Error).message}`, {
      hint: 'Name a folder that exists, or one that can be made.',
    });
  }
}
