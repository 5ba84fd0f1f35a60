import { randomBytes } from 'node:crypto';
import type { ExperimentDraft } from '@deadheat/engine';
import { findExecutable, toExperimentDraft } from 'deadheat/internals';
import type { CompareInvocation } from '../arguments/invocation.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The experiment of commands as they were typed, sought where the terminal's PATH says; a seed is drawn where none is given. */
export function draftOfCommands(
  invocation: CompareInvocation,
  {
    terminal,
    suggest = () => null,
  }: { readonly terminal: Terminal; readonly suggest?: (word: string) => string | null },
): ExperimentDraft {
  return toExperimentDraft(invocation, {
    which: (word) => findExecutable(word, { path: terminal.env['PATH'] ?? '', cwd: process.cwd() }),
    cwd: process.cwd(),
    defaultSeed: randomBytes(4).toString('hex'),
    suggest,
  });
}
