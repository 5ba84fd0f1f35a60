import { workloadFacts, defaultSettings, stopRuleOf } from '@deadheat/model';
import { draftOfCommands, type FinishedSession, runDraft, type RunOptions } from 'deadheat/internals';
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
  const draftOf = (request: CompareInvocation): ReturnType<typeof draftOfCommands> =>
    draftOfCommands(request, { variables: terminal.env, suggest });

  const draft = draftOf(invocation);

  /** Measures; and once more, as harnesses, programs of which one says that it has benchmarks of its own. */
  async function measure(control: RunOptions): Promise<FinishedSession> {
    const result = await runDraft(draft, { ...control, output }).settled;
    if (output !== null || workloadFacts[invocation.workload].protocol || !isHarness(result)) return result;
    control.onNotice?.('the commands have benchmarks of their own: they are measured as with --harness');
    return runDraft(draftOf(asHarness(invocation)), { ...control, output }).settled;
  }

  return runWithProgress((control) => ({ settled: measure(control) }), { choices: invocation, terminal, showOutput });
}

/** Whether a side refused to be measured as a whole, as `@deadheat/harness` does. */
function isHarness({ outcome }: FinishedSession): boolean {
  return outcome.kind === 'failed' && outcome.failures.some(({ message }) => message.includes('add --harness'));
}

/** The same comparison with what is usual for a harness where it was usual for a command. */
function asHarness(invocation: CompareInvocation): CompareInvocation {
  const { iterations, warmup } = defaultSettings(invocation.method, 'harness');
  const fit = stopRuleOf(invocation.stop).fixedRuns === null ? { fitIterations: true } : {};
  return { ...invocation, workload: 'harness', iterations, warmup, ...fit };
}
