import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { headOf } from '@deadheat/engine';
import { type Benchmark, type ProgramFacts, sides } from '@deadheat/model';
import { findExecutable } from './find-executable.ts';
import { splitWords } from './split-words.ts';

type ProgramFile = ProgramFacts['files'][number];
type Role = ProgramFile['role'];

/** @returns SHA-256 of the content, hexadecimal */
export function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

const chunkBytes = 1 << 20;

/** SHA-256 of a file, hexadecimal, and its size; inputs may be larger than memory. */
function digestOfFile(path: string): Pick<ProgramFile, 'sha256' | 'bytes'> {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(chunkBytes);
  const file = openSync(path, 'r');
  try {
    for (let bytes = 0; ;) {
      const count = readSync(file, chunk);
      if (count === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(chunk.subarray(0, count));
      bytes += count;
    }
  } finally {
    closeSync(file);
  }
}

/** Variables that change what the machines of Java and JavaScript do; their flags in a command line are in the configuration. */
const flagVariables = ['NODE_OPTIONS', 'JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', '_JAVA_OPTIONS'];

/** The programs of an experiment as they are now, without libraries: what its recording keeps. */
export function programFacts(benchmarks: readonly Benchmark[]): ProgramFacts {
  const files = programFiles(benchmarks, { libraries: false });
  const set = flagVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    folder: process.cwd(),
    distribution: distributionHere(),
    files: [...files],
    runtimes: files.flatMap(({ path, resolved, role }) => {
      const version = resolved === null || role === 'class path' ? null : runtimeVersion(resolved);
      return version === null ? [] : [{ path, version }];
    }),
    variables: Object.fromEntries(set) as Record<string, string>,
  };
}

/** Name and version of this machine's distribution; `null` = it does not say. */
export function distributionHere(): string | null {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^PRETTY_NAME="?([^"\n]*)/m.exec(release)?.[1] ?? null;
}

/** Version of a Java or JavaScript machine; `null` = the program is neither, or does not say. */
function runtimeVersion(file: string): string | null {
  const name = basename(file);
  if (name === 'java') {
    const release = join(dirname(file), '..', 'release');
    const text = isFile(release) ? readFileSync(release, 'utf8') : '';
    return /^JAVA_(?:RUNTIME_)?VERSION="([^"]+)"/m.exec(text)?.[1] ?? null;
  }
  if (!['node', 'nodejs'].includes(name)) return null;
  if (file === realpathSync(process.execPath)) return process.version;
  const { status, stdout } = spawnSync(file, ['--version'], { encoding: 'utf8', timeout: 5000 });
  return status === 0 ? stdout.trim() : null;
}

/**
 * The files that the programs of benchmarks are made of, as they are now: programs with their interpreters and the libraries that `ldd` names, words of
 * command lines that name files, jars and classes on class paths, and files fed to standard input. What a program opens by itself is not known, nor what is
 * in containers.
 */
export function programFiles(
  benchmarks: readonly Benchmark[],
  { libraries = true }: { readonly libraries?: boolean } = {},
): readonly ProgramFile[] {
  const found = new Map<string, ProgramFile>();
  const add = (path: string, role: Role): void => {
    if (found.has(path)) return;
    const file = describeFile(path, role);
    found.set(path, file);
    if (file.resolved === null || (role !== 'program' && role !== 'interpreter')) return;
    for (const interpreter of interpretersOf(file.resolved)) add(interpreter, 'interpreter');
    for (const library of libraries ? librariesOf(file.resolved) : []) add(library, 'library');
  };
  for (const benchmark of benchmarks) {
    if (benchmark.containers !== null) continue;
    for (const side of sides) {
      for (const [path, role] of namedFiles(benchmark, side)) add(path, role);
    }
    if (benchmark.input !== null) add(benchmark.input, 'input');
  }
  return [...found.values()];
}

/** Files that a command line names, with the program that a shell starts. */
function namedFiles(benchmark: Benchmark, side: 'A' | 'B'): readonly (readonly [string, Role])[] {
  const { argv, commandLine, executedBy } = benchmark.commands[side];
  const cwd = benchmark.workingDirectory[side] ?? benchmark.scratch[side] ?? process.cwd();
  const variables: Readonly<Record<string, string>> = benchmark.environment[side];
  const path = variables['PATH'] ?? process.env['PATH'] ?? '';
  const typed = executedBy === 'shell' ? wordsOf(commandLine) : argv.slice(1);
  const words = typed.map((word) =>
    word.replaceAll(/\$\{?(\w+)\}?/g, (whole, name: string) => variables[name] ?? whole),
  );
  const files: [string, Role][] = [[argv[0] ?? '', 'program']];
  for (const [place, word] of words.entries()) {
    if (/^(?:-cp|-classpath|--class-path|-jar)$/.test(words[place - 1] ?? '')) {
      for (const entry of word.split(':')) files.push([resolve(cwd, entry), 'class path']);
    } else if (/^[\w./-]*\w$/.test(word) && !word.startsWith('-')) {
      const file = resolve(cwd, word);
      if (isFile(file)) files.push([file, executedBy === 'shell' && word.includes('/') ? 'program' : 'script or data']);
      else if (executedBy === 'shell') {
        const located = findExecutable(word, { path, cwd });
        if (located.kind === 'found') files.push([located.path, 'program']);
      }
    }
  }
  return files;
}

/** None where a shell understands more than quotes and blanks. */
function wordsOf(commandLine: string): readonly string[] {
  try {
    return splitWords(commandLine).words;
  } catch {
    return [];
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function describeFile(path: string, role: Role): ProgramFile {
  try {
    const resolved = realpathSync(path);
    if (!statSync(resolved).isFile())
      return { path, resolved, role, sha256: null, bytes: null, missing: 'no regular file' };
    return { path, resolved, role, ...digestOfFile(resolved), missing: null };
  } catch (error) {
    return { path, resolved: null, role, sha256: null, bytes: null, missing: (error as Error).message };
  }
}

/** The program behind `#!` and, where that is `env`, the one that it starts. */
function interpretersOf(file: string): readonly string[] {
  const [, line] = /^#!\s*([^\n]+)\n/.exec(headOf(file, 256)) ?? [];
  if (line === undefined) return [];
  const [interpreter = '', ...rest] = line.trim().split(/\s+/);
  const word = interpreter.endsWith('/env') ? rest.find((one) => !one.startsWith('-')) : undefined;
  const located = word === undefined ? null : findExecutable(word, { path: process.env['PATH'] ?? '', cwd: '/' });
  return [interpreter, ...(located?.kind === 'found' ? [located.path] : [])];
}

/** Libraries that the dynamic linker would load; none where `ldd` does not say. */
function librariesOf(file: string): readonly string[] {
  // `ldd` may execute what it looks at, as the experiment did; of a script it says nothing.
  if (!existsSync('/usr/bin/ldd') || headOf(file, 4) !== '\x7fELF') return [];
  try {
    const text = execFileSync('ldd', [file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [...text.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map(([, path = '']) => path);
  } catch {
    return [];
  }
}
