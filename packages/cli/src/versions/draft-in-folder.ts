import { delimiter, join } from 'node:path';
import type { ExperimentDraft } from '@deadheat/engine';
import type { CompareInvocation } from '../arguments/invocation.ts';
import { suggestSubcommand } from '../arguments/suggest-subcommand.ts';
import { findExecutable, toExperimentDraft } from 'deadheat/internals';
import type { SidePlace } from './join-drafts.ts';

/** The experiment of typed commands as they are found in a side's folder, without controls. */
export function draftInFolder(
  invocation: CompareInvocation,
  { place, path, seed }: { readonly place: SidePlace; readonly path: string; readonly seed: string },
): ExperimentDraft {
  // A control is A against itself, which is made where the sides are joined.
  return toExperimentDraft(
    { ...invocation, control: false },
    {
      which: (word) => findExecutable(word, { path: place.environment['PATH'] ?? path, cwd: place.folder }),
      cwd: process.cwd(),
      defaultSeed: seed,
      suggest: suggestSubcommand,
    },
  );
}

/** Variables with which programs of packages installed in `folder` are found first. */
export function withInstalledPrograms(folder: string, path: string): Readonly<Record<string, string>> {
  return { PATH: [join(folder, 'node_modules', '.bin'), path].join(delimiter) };
}
