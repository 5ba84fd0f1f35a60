import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findCommit, openRepository, type ReadyVersion, type Versions } from '@deadheat/versions';
import { makeFolder } from '@deadheat/recording';
import type { Code } from '../code.ts';
import { FleetError } from '../fleet-error.ts';

/** Where a repository lies, as git understands its address. */
interface RepositoryPlace {
  /** `scp` = ssh with a path that begins in the home of the user there. */
  readonly transport: 'https' | 'ssh' | 'scp' | 'git' | 'file';
  readonly user: string | null;
  /** In lower case; empty for this machine. */
  readonly host: string;
  /** `null` = the usual one of the transport. */
  readonly port: string | null;
  /** Names of the path. */
  readonly names: readonly string[];
}

/** Most characters of an address, so that reading it takes no time. */
const mostCharacters = 2000;
const usualPorts: Readonly<Record<string, string>> = { https: '443', ssh: '22', git: '9418' };

const user = String.raw`[A-Za-z0-9_][\w.-]*`;
const host = String.raw`[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\]`;
const url = new RegExp(`^(https|ssh|git)://(?:(${user})@)?(${host})(?::([0-9]{1,5}))?(/.*)?$`, 's');
const scpLike = new RegExp(`^(${user})@(${host}):(.+)$`, 's');
/** Nothing that git, a server or a shell may understand as something else: no `%`, backslash, `?`, `#`, blank or control character. */
const pathName = /^[\p{L}\p{N}_.+@=,!()][\p{L}\p{N}\p{M}_.+@=,!()~-]*$/u;

/**
 * Reads the address of a repository: a URL of https, ssh or git, `user@host:path`, or the path of a folder here, also as a URL. `null`
 * for everything else: other transports, options of git, and addresses with more than one meaning, such as one with `%`, with names `.`,
 * `..` or none, or with a user where that tells nothing.
 */
function readPlace(address: string): RepositoryPlace | null {
  if (address.length > mostCharacters) return null;
  const local = /^(?:file:\/\/)?(\/.*)$/s.exec(address)?.[1];
  if (local !== undefined) return placed({ transport: 'file', user: null, host: '', port: null }, local);
  const [, transport, name = null, server, port, path] = url.exec(address) ?? [];
  if (transport === 'https' || transport === 'ssh' || transport === 'git') {
    if (name !== null && transport !== 'ssh') return null;
    const own = port === undefined || port === usualPorts[transport] ? null : port;
    return placed({ transport, user: name, host: server ?? '', port: own }, path ?? '/');
  }
  const [, login = null, machine = '', remote = ''] = scpLike.exec(address) ?? [];
  if (login === null) return null;
  const isAbsolute = remote.startsWith('/');
  const place = { transport: isAbsolute ? 'ssh' : 'scp', user: login, host: machine, port: null } as const;
  return placed(place, isAbsolute ? remote : `/${remote}`);
}

function placed(place: Omit<RepositoryPlace, 'names'>, path: string): RepositoryPlace | null {
  const inner = path.replace(/\/$/, '').slice(1);
  const names = inner === '' ? [] : inner.split('/');
  const isPlain = names.every((name) => pathName.test(name) && name !== '.' && name !== '..');
  return isPlain ? { ...place, host: place.host.toLowerCase(), names } : null;
}

/** Checks whether an address of a repository can be read; a list of allowed ones has to consist of such. */
export function isRepositoryAddress(address: string): boolean {
  return readPlace(address) !== null || anyHost.test(address);
}

const anyHost = /^(https|ssh|git):\/\/$/;

/**
 * Checks whether a repository is one that was allowed. Addresses are compared by what they mean, part by part.
 *
 * @param allowed a repository; or, when it ends in `/`, all below
 */
export function isAllowedRepository(repository: string, allowed: string): boolean {
  const place = readPlace(repository);
  if (place === null || place.names.length === 0) return false;
  const anywhere = anyHost.exec(allowed)?.[1];
  if (anywhere !== undefined) return place.transport === anywhere;
  const other = readPlace(allowed);
  if (other === null) return false;
  const isSameHost = (['transport', 'user', 'host', 'port'] as const).every((key) => place[key] === other[key]);
  const { length } = other.names;
  const fits = allowed.endsWith('/') ? place.names.length > length : place.names.length === length;
  return isSameHost && fits && other.names.every((name, index) => name === place.names[index]);
}

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

export interface CheckOutPlaces {
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
    await makeFolder(folder);
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
