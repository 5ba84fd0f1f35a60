import { mergeRecordings } from '@deadheat/engine';
import { countOf } from '@deadheat/report';
import type { OutputChoices } from '../command/output-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkExports, finish, leavePage } from './finish.ts';

interface MergeRequest {
  readonly recordings: readonly string[];
  /** Folder for the recording; `null` = a new one below `.deadheat`. */
  readonly output: string | null;
  readonly choices: OutputChoices;
}

/** Merges the parts of an experiment, shows the result and writes its exports. Returns the exit code. */
export async function mergeParts({ recordings, output, choices }: MergeRequest, terminal: Terminal): Promise<number> {
  checkExports(choices.exports);
  const merged = await mergeRecordings(recordings, { output, parent: '.deadheat' });
  if (merged.repeated > 0) {
    const runs = countOf(merged.repeated, 'run');
    terminal.stderr.write(`deadheat: ${runs} were in more than one recording with the same content, and count once\n`);
  }
  const exitCode = await finish({
    report: merged.report,
    outcome: { kind: 'done' },
    choices,
    terminal,
    isFollowed: true,
  });
  await leavePage(merged, { choices, terminal });
  return exitCode;
}
