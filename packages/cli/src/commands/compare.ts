import { draftOfCommands, runDraft } from 'deadheat/internals';
import type { CompareInvocation } from '../arguments/invocation.ts';
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
  const { output, showOutput } = invocation;
  const draft = draftOfCommands(invocation, { variables: terminal.env, suggest });
  return runWithProgress((control) => runDraft(draft, { ...control, output }), {
    choices: invocation,
    terminal,
    showOutput,
  });
}
