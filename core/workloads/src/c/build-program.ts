import { spawnSync } from 'node:child_process';
import { lstatSync, mkdirSync, realpathSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { createHash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { WorkloadError } from '../workload-error.ts';

/** A C compiler of this machine. */
interface Compiler {
  readonly command: string;
  /** First line of its version message. It is part of the program's hash. */
  readonly version: string;
}

const usual = ['cc', 'gcc', 'clang'];

/**
 * The compiler that `CC` names, else the first of cc, gcc and clang that is there.
 *
 * @throws WorkloadError `NO_COMPILER`, which says what to install
 */
export function findCompiler(environment: Readonly<Record<string, string | undefined>> = process.env): Compiler {
  const named = environment['CC'];
  for (const command of named === undefined || named === '' ? usual : [named]) {
    const { status, stdout } = spawnSync(command, ['--version'], { encoding: 'utf8', env: environment });
    if (status === 0) return { command, version: stdout.split('\n', 1)[0] ?? '' };
  }
  const tried = named === undefined || named === '' ? 'neither cc nor gcc nor clang is there' : `CC is '${named}'`;
  throw new WorkloadError(
    'NO_COMPILER',
    `no C compiler: ${tried}.\nInstall one (Debian, Ubuntu: gcc and libc6-dev; Fedora: gcc; Alpine: gcc and musl-dev) ` +
      'or take the language js, which needs none.',
  );
}

/**
 * The cache folder, created when it is missing: `deadheat` in `XDG_CACHE_HOME` or `~/.cache`; where that cannot be
 * written, a folder that only this user can write, in the temporary folder.
 *
 * @throws WorkloadError `CACHE_NOT_WRITABLE`
 */
export function cacheDirectory(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { XDG_CACHE_HOME: xdg = '' } = environment;
  const { uid } = userInfo();
  const candidates = [
    join(isAbsolute(xdg) ? xdg : join(homedir(), '.cache'), 'deadheat'),
    join(environment['TMPDIR'] ?? tmpdir(), `deadheat-${uid}`),
  ];
  let failure: unknown;
  for (const directory of candidates) {
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const status = lstatSync(realpathSync(directory));
      // Programs are started from this folder, so no other user may write to it.
      if (status.uid !== uid && uid !== -1) throw new Error(`${directory} belongs to somebody else`);
      if ((status.mode & 0o022) !== 0) throw new Error(`${directory} can be written by others`);
      return directory;
    } catch (error) {
      failure = error;
    }
  }
  throw new WorkloadError(
    'CACHE_NOT_WRITABLE',
    `no folder for compiled programs: ${(failure as Error).message}.\nSet XDG_CACHE_HOME to a folder of your own.`,
    { cause: failure },
  );
}

export type ProgramName = 'workload' | 'load';

const sources = fileURLToPath(new URL('../../c/', import.meta.url));
/**
 * Folder of the C client in the repository. In the package its header lies beside the C sources, where `npm pack`
 * copies it.
 */
const clients = fileURLToPath(new URL('../../../../clients/c/', import.meta.url));
/** Without contraction the floating-point results are the same on every processor. */
const flags = ['-std=gnu11', '-O2', '-ffp-contract=off', '-Wall'];

/**
 * Path of a program made from the C sources of this package. It is compiled once and then found again: its name holds a
 * hash of sources, flags and compiler. Two builds at the same time do not disturb each other.
 *
 * @throws WorkloadError `NO_COMPILER`, `COMPILE_FAILED`, `CACHE_NOT_WRITABLE`
 */
export function buildProgram(
  name: ProgramName,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const compiler = findCompiler(environment);
  const program = join(cacheDirectory(environment), `${name}-${hashOf(compiler)}`);
  if (existsSync(program)) return program;
  const unfinished = `${program}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const args = [...flags, `-I${headerDirectory()}`, '-o', unfinished, join(sources, `${name}.c`)];
  const { status, stderr, error } = spawnSync(compiler.command, args, { encoding: 'utf8', env: environment });
  if (status === 0) {
    renameSync(unfinished, program);
    return program;
  }
  rmSync(unfinished, { force: true });
  const why = (error?.message ?? stderr).trimEnd();
  throw new WorkloadError(
    'COMPILE_FAILED',
    `${compiler.command} cannot compile ${name}.c:\n${why}\nSet CC to another compiler, or take the language js.`,
  );
}

function headerDirectory(): string {
  return existsSync(join(clients, 'deadheat.h')) ? clients : sources;
}

function hashOf(compiler: object): string {
  const hash = createHash('sha256').update(JSON.stringify({ compiler, flags, architecture: process.arch }));
  const files = readdirSync(sources).filter((file) => file !== 'deadheat.h');
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(join(sources, file)));
  return hash
    .update('\0')
    .update(readFileSync(join(headerDirectory(), 'deadheat.h')))
    .digest('hex')
    .slice(0, 16);
}
