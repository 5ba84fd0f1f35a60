import { resumeExperiment } from '@deadheat/engine';
import { isOnFleet } from '@deadheat/fleet';
import type { ResumeInvocation } from '../arguments/invocation.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { resumeFleet } from './fleet.ts';
import { runWithProgress } from './run-with-progress.ts';

/** `deadheat --resume RECORDING`. Returns the exit code. */
export async function resume(invocation: ResumeInvocation, terminal: Terminal): Promise<number> {
  const { recording: directory } = invocation;
  return runWithProgress(
    (control) =>
      isOnFleet(directory)
        ? resumeFleet(directory, { ...control, terminal })
        : resumeExperiment({ ...control, directory }),
    { choices: invocation, terminal },
  );
}
