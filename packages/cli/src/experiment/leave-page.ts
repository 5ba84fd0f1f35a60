import { join } from 'node:path';
import { recordingFiles, type SessionResult } from '@deadheat/engine';
import { renderPage } from '@deadheat/report';
import type { OutputChoices } from '../arguments/invocation.ts';
import { reportStream } from '../export/report-stream.ts';
import { createColors } from '../terminal/colors.ts';
import { detailLines } from '../terminal/detail.ts';
import { proseWidth } from './render-comparison.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeWhole } from '../terminal/write-whole.ts';

/**
 * Writes `report.html` beside `report.json` and tells where it is. A page that cannot be written is told and changes nothing
 * else: everything that was measured is in the recording already.
 */
export function leavePage(
  { directory, report, points }: Pick<SessionResult, 'directory' | 'report' | 'points'>,
  { choices, terminal }: { readonly choices: OutputChoices; readonly terminal: Terminal },
): void {
  const path = join(directory, recordingFiles.page);
  try {
    writeWhole(path, renderPage({ report, points: points() }));
  } catch (error) {
    terminal.stderr.write(
      `deadheat: ${path} cannot be written: ${(error as Error).message}; try again with deadheat report\n`,
    );
    return;
  }
  const stream = terminal[reportStream(choices.exports)];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  if (style.quiet) return;
  const layout = { width: style.width ?? proseWidth, colors: createColors(style) };
  for (const line of detailLines([{ label: 'report', text: path }], layout)) stream.write(`${line}\n`);
}
