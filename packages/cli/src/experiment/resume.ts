import { resumeExperiment } from '@deadheat/engine';
import type { ResumeInvocation } from '../arguments/invocation.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { runWithProgress } from './run-with-progress.ts';

/** `deadheat --resume RECORDING`. Returns the exit code. */
export async function resume(invocation: ResumeInvocation, terminal: Terminal): Promise<number> {
  const { recording: directory } = invocation;
  return runWithProgress(
    async (control) => {
      const { isOnFleet } = await import('@deadheat/fleet');
      if (!isOnFleet(directory)) return resumeExperiment({ ...control, directory });
      const { resumeFleet } = await import('./fleet.ts');
      return resumeFleet(directory, { ...control, terminal });
    },
    { choices: invocation, terminal },
  );
}
