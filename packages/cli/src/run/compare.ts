import { randomBytes } from 'node:crypto';
import { startExperiment } from '@deadheat/engine';
import type { CompareInvocation } from '../arguments/invocation.ts';
import { findExecutable } from '../commands/find-executable.ts';
import { toExperimentDraft } from '../commands/to-experiment-draft.ts';
import { tool } from '../version.ts';
import { runWithProgress } from './session.ts';
import type { Terminal } from './terminal.ts';

/** `deadheat 'A' 'B'`. Returns the exit code. */
export async function compare(invocation: CompareInvocation, terminal: Terminal): Promise<number> {
  const draft = toExperimentDraft(invocation, {
    which: (word) => findExecutable(word, { path: terminal.env['PATH'] ?? '', cwd: process.cwd() }),
    cwd: process.cwd(),
    defaultSeed: randomBytes(4).toString('hex'),
  });
  return runWithProgress(
    (control) => startExperiment({ ...control, draft, directory: invocation.output, parent: '.deadheat', tool }),
    { choices: invocation, terminal, showOutput: invocation.showOutput },
  );
}
