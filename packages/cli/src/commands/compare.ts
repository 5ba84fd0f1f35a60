import { startExperiment } from '@deadheat/engine';
import type { CompareInvocation } from '../arguments/invocation.ts';
import { tool } from '../version.ts';
import { draftOfCommands } from '../experiment/draft-of-commands.ts';
import { runWithProgress } from '../experiment/run-with-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * `deadheat 'A' 'B'`. Returns the exit code.
 *
 * @param suggest the subcommand that a command which is not found may be a misspelling of; `null` = none
 */
export async function compare(
  invocation: CompareInvocation,
  { terminal, suggest }: { readonly terminal: Terminal; readonly suggest: (word: string) => string | null },
): Promise<number> {
  const draft = draftOfCommands(invocation, { terminal, suggest });
  return runWithProgress(
    (control) => startExperiment({ ...control, draft, directory: invocation.output, parent: '.deadheat', tool }),
    { choices: invocation, terminal, showOutput: invocation.showOutput },
  );
}
