import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCommit, openRepository, type ReadyVersion, type Versions } from '@deadheat/versions';
import type { Code } from '../code.ts';
import { FleetError } from '../fleet-error.ts';

const execute = promisify(execFile);

/** Transports that git may use; those that execute a command from the URL are excluded. */
const environment = { GIT_ALLOW_PROTOCOL: 'https:ssh:git:file', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };

/** A server that sends git elsewhere would bring repositories that are not allowed; submodules are others, too. */
const settings = [
  'http.followRedirects=false',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
].flatMap((setting) => ['-c', setting]);

interface CheckOutPlaces {
  /** The folder of the clones. */
  readonly folder: string;
  readonly versions: Versions;
  /** Variables that the setup inherits. */
  readonly inherited: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * Makes the commit of an experiment ready in a folder: from a clone that is kept in `folder`, with its setup carried out once. The
 * repository is one that is allowed.
 *
 * @throws FleetError `RUN_REFUSED` when the repository does not answer, sends elsewhere, or lacks the commit; DeadheatError as
 *   `Versions.checkOut`
 */
export async function checkOutCommit(
  { repository: url, commit, setup }: Extract<Code, { readonly kind: 'commit' }>,
  { folder, versions, inherited, signal }: CheckOutPlaces,
): Promise<ReadyVersion> {
  const clone = join(folder, createHash('sha256').update(url).digest('hex').slice(0, 16));

  async function run(args: readonly string[], cwd: string): Promise<void> {
    try {
      await execute('git', [...settings, ...args], { cwd, signal, env: { ...process.env, ...environment } });
    } catch (error) {
      const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
      throw new FleetError('RUN_REFUSED', `git ${args[0] ?? ''} of ${url} failed: ${said ?? ''}`, { cause: error });
    }
  }

  if (!existsSync(clone)) {
    await mkdir(folder, { recursive: true });
    await rm(`${clone}.new`, { recursive: true, force: true });
    await run(['clone', '--quiet', '--no-checkout', '--', url, `${clone}.new`], folder);
    await rename(`${clone}.new`, clone);
  }
  const repository = await openRepository(clone, signal);
  if ((await findCommit(commit, repository)) === null) await run(['fetch', '--quiet', 'origin'], clone);
  const described = await findCommit(commit, repository);
  if (described === null) {
    throw new FleetError('RUN_REFUSED', `${url} holds no commit ${commit}. Push it, and submit the experiment again`);
  }
  return versions.checkOut({
    revision: { commit: described, label: described.short },
    what: `the commit ${described.short}`,
    setup,
    inherited,
    benchFiles: null,
    repository,
    fresh: false,
    onSetup: () => undefined,
  });
}
