import { startExperiment } from '@deadheat/engine';
import type { CompareInvocation } from '../arguments/invocation.ts';
import { tool } from '../version.ts';
import { draftOfCommands } from '../experiment/draft-of-commands.ts';
import { runWithProgress } from '../experiment/run-with-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `deadheat 'A' 'B'`. Returns the exit code. */
export async function compare(invocation: CompareInvocation, terminal: Terminal): Promise<number> {
  const draft = draftOfCommands(invocation, terminal);
  return runWithProgress(
    (control) => startExperiment({ ...control, draft, directory: invocation.output, parent: '.deadheat', tool }),
    { choices: invocation, terminal, showOutput: invocation.showOutput },
  );
}
