import { checkBenchFiles, folderInside, takeBenchFiles, type BenchFiles } from './bench-files.ts';
import type { Repository } from './repository.ts';
import type { Revision } from './revisions.ts';
import { runSetup } from './run-setup.ts';
import { fillSubmodules } from './submodules.ts';
import type { ReadyVersion } from './ready-version.ts';
import type { Slot, VersionCache } from './version-cache.ts';
import { addWorktree, parkWorktree, restoreWorktree, treeOf } from './worktree.ts';

/** A commit that is to be made ready. */
export interface CheckOutRequest {
  readonly revision: Revision;
  /** The side and the commit, as messages begin: `A, main (1a2b3c4 Add x),`. */
  readonly what: string;
  /** Shell command, in the folder that one stands in; `null` = nothing is to be made. */
  readonly setup: string | null;
  /** `null` = those of the commit itself. */
  readonly benchFiles: BenchFiles | null;
  readonly repository: Repository;
  /** Whether the setup is carried out although that was done before. */
  readonly fresh: boolean;
  /** Told before a setup, which takes its time, begins. */
  readonly onSetup: () => void;
}

/**
 * Makes a commit ready in a folder of its own: its files as a worktree, its submodules, the benchmark's files, and the setup, which is
 * carried out once for a commit and then kept.
 *
 * @throws VersionError `CHECKOUT_FAILED`, `SUBMODULE_MISSING`, `UNKNOWN_BENCH_PATH`, `SETUP_FAILED` with the last lines of its output,
 *   `INTERRUPTED`; nothing is left then
 */
export async function checkOut(request: CheckOutRequest, cache: VersionCache): Promise<ReadyVersion> {
  const { revision, what, setup, benchFiles, repository } = request;
  const { id } = revision.commit;
  const files = benchFiles === null || benchFiles.from.id === id ? null : benchFiles;
  if (files !== null) await checkBenchFiles(files, repository);
  const slot = await cache.take(
    {
      repository: repository.commonFolder,
      commit: id,
      setup,
      // What is built for one version of Node is often of no use for another.
      node: process.version,
      // A setup is carried out where one stands.
      prefix: setup === null ? null : repository.prefix,
      files: files === null ? null : { commit: files.from.id, paths: files.paths, prefix: repository.prefix },
    },
    { fresh: request.fresh },
  );
  const wasReady = slot.ready;
  const tree = treeOf(slot.folder);
  try {
    if (wasReady) await restoreWorktree(slot.folder, { id, what, repository });
    else {
      await addWorktree(slot.folder, { id, what, repository });
      await fillSubmodules(tree, { what, repository });
    }
    if (!wasReady && files !== null) await takeBenchFiles(tree, { files, repository, what });
    const folder = await folderInside(tree, { prefix: repository.prefix, what });
    if (!wasReady) {
      if (setup !== null) {
        request.onSetup();
        await runSetup(setup, { what, folder, signal: repository.signal });
      }
      await slot.finish({ kind: 'commit', origin: repository.commonFolder, version: id, setup });
    }
    return { folder, root: tree, wasReady, release: () => release(slot) };
  } catch (error) {
    await release(slot);
    throw error;
  }
}

/** Also after an interruption: what is begun here is ended. */
async function release(slot: Slot): Promise<void> {
  try {
    await parkWorktree(slot.folder, new AbortController().signal);
  } finally {
    await slot.release();
  }
}
