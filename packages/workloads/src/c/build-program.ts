import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkloadError } from '../workload-error.ts';
import { cacheDirectory } from './cache-directory.ts';
import { findCompiler } from './compiler.ts';

export type ProgramName = 'workload' | 'load';

const sources = fileURLToPath(new URL('../../c/', import.meta.url));
/** The client in the repository; beside the sources in the package, where `npm pack` puts a copy of it. */
const clients = fileURLToPath(new URL('../../../../clients/c/', import.meta.url));
/** Without contraction the floating-point results are the same on every processor. */
const flags = ['-std=gnu11', '-O2', '-ffp-contract=off', '-Wall'];

/**
 * Path of a program made from the C sources of this package. It is compiled once and then found again: its name holds a
 * hash of sources, flags and compiler. Two builds at the same time do no harm.
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
