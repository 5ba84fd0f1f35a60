import { randomBytes } from 'node:crypto';
import { startExperiment, Versions, type InstalledPackage } from '@deadheat/engine';
import type { CommitRef, Side } from '@deadheat/model';
import type { CompareInvocation } from '../../arguments/invocation.ts';
import { withControls } from 'deadheat/internals';
import { tool } from '../../version.ts';
import { draftInFolder, withInstalledPrograms } from '../../versions/draft-in-folder.ts';
import { joinDrafts, type SidePlace } from '../../versions/join-drafts.ts';
import { createTeller } from '../../terminal/teller.ts';
import { checkExports } from '../../experiment/finish.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { runWithProgress } from '../../experiment/run-with-progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export interface PackagesComparison {
  /** As npm takes them. */
  readonly specs: Readonly<Record<Side, string>>;
  readonly fresh: boolean;
  readonly invocation: CompareInvocation;
}

/** `deadheat npm`. Returns the exit code. */
export async function comparePackages(
  { specs, fresh, invocation }: PackagesComparison,
  terminal: Terminal,
): Promise<number> {
  checkExports(invocation.exports);
  const tell = createTeller(invocation, terminal);
  const versions = new Versions();
  return withInterruption(async (signal) => {
    try {
      await versions.sweep();
      const path = terminal.env['PATH'] ?? '';
      const place = async (side: Side): Promise<SidePlace> => {
        const spec = specs[side];
        const installed: InstalledPackage = await versions.install({
          spec,
          what: side,
          cwd: process.cwd(),
          signal,
          fresh,
          onInstall: () => tell(`${side}: npm install ${spec}`),
        });
        const { folder, label, wasReady } = installed;
        tell(`${side} = ${label}${wasReady ? ', installed before' : ''}`);
        return { folder, label, environment: withInstalledPrograms(folder, path) };
      };
      const places = { A: await place('A'), B: await place('B') };
      const packageRef = ({ label }: SidePlace): CommitRef => ({ id: label, label, committedAt: null });
      const commits = { A: packageRef(places.A), B: packageRef(places.B) };
      const seed = randomBytes(4).toString('hex');
      const draftOf = (side: Side): ReturnType<typeof draftInFolder> =>
        draftInFolder(invocation, { place: places[side], path, seed });
      const joined = joinDrafts({ A: draftOf('A'), B: draftOf('B') }, places);
      const draft = invocation.control ? withControls(joined) : joined;
      const { output: directory, showOutput } = invocation;
      return await runWithProgress(
        (control) => startExperiment({ ...control, draft, directory, parent: '.deadheat', tool, commits }),
        { choices: invocation, terminal, showOutput },
      );
    } finally {
      await versions.releaseAll();
    }
  });
}
