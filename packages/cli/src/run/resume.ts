import { resumeExperiment } from '@deadheat/engine';
import type { ResumeInvocation } from '../arguments/invocation.ts';
import { runWithProgress } from './session.ts';
import type { Terminal } from './terminal.ts';

/** `deadheat --resume RECORDING`. Returns the exit code. */
export async function resume(invocation: ResumeInvocation, terminal: Terminal): Promise<number> {
  return runWithProgress((control) => resumeExperiment({ ...control, directory: invocation.recording }), {
    choices: invocation,
    terminal,
  });
}
