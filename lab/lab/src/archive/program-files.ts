import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, readSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Benchmark, sides } from '@deadheat/model';
import { findExecutable, splitWords } from 'deadheat/internals';
import { z } from 'zod';

/** Part of a file in an experiment. */
const roleSchema = z.enum(['program', 'interpreter', 'script or data', 'library', 'class path', 'input']);

/** A file that an experiment reads or executes; `sha256` is `null` where it cannot be hashed, with the reason. */
export const programFileSchema = z.object({
  /** As it was named, absolute. */
  path: z.string(),
  /** The file behind links; `null` = there is none. */
  resolved: z.string().nullable(),
  role: roleSchema,
  sha256: z.string().nullable(),
  bytes: z.number().nullable(),
  /** Why there is no hash; `null` = there is one. */
  missing: z.string().nullable(),
});
export type ProgramFile = z.infer<typeof programFileSchema>;

type Role = z.infer<typeof roleSchema>;

/** @returns SHA-256 of the content, hexadecimal */
export function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * The files that the programs of benchmarks are made of, as they are now: programs with their interpreters and the libraries that `ldd` names, words of
 * command lines that name files, jars and classes on class paths, and files fed to standard input. What a program opens by itself is not known.
 */
export function programFiles(benchmarks: readonly Benchmark[]): readonly ProgramFile[] {
  const found = new Map<string, ProgramFile>();
  const add = (path: string, role: Role): void => {
    if (found.has(path)) return;
    const file = describeFile(path, role);
    found.set(path, file);
    if (file.resolved === null || (role !== 'program' && role !== 'interpreter')) return;
    for (const interpreter of interpretersOf(file.resolved)) add(interpreter, 'interpreter');
    for (const library of librariesOf(file.resolved)) add(library, 'library');
  };
  for (const benchmark of benchmarks) {
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
  const typed = executedBy === 'shell' ? splitWords(commandLine).words : argv.slice(1);
  const words = typed.map((word) =>
    word.replaceAll(/\$\{?(\w+)\}?/g, (whole, name: string) => variables[name] ?? whole),
  );
  const files: [string, Role][] = [[argv[0]!, 'program']];
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

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function describeFile(path: string, role: Role): ProgramFile {
  try {
    const resolved = realpathSync(path);
    if (!statSync(resolved).isFile())
      return { path, resolved, role, sha256: null, bytes: null, missing: 'no regular file' };
    const content = readFileSync(resolved);
    return { path, resolved, role, sha256: digestOf(content), bytes: content.length, missing: null };
  } catch (error) {
    return { path, resolved: null, role, sha256: null, bytes: null, missing: (error as Error).message };
  }
}

/** The program behind `#!` and, where that is `env`, the one that it starts. */
function interpretersOf(file: string): readonly string[] {
  const head = Buffer.alloc(256);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, head.length, 0);
  } finally {
    closeSync(descriptor);
  }
  const [, line] = /^#!\s*([^\n]+)\n/.exec(head.toString('latin1')) ?? [];
  if (line === undefined) return [];
  const [interpreter = '', ...rest] = line.trim().split(/\s+/);
  const word = interpreter.endsWith('/env') ? rest.find((one) => !one.startsWith('-')) : undefined;
  const located = word === undefined ? null : findExecutable(word, { path: process.env['PATH'] ?? '', cwd: '/' });
  return [interpreter, ...(located?.kind === 'found' ? [located.path] : [])];
}

/** Libraries that the dynamic linker would load; none where `ldd` does not say. */
function librariesOf(file: string): readonly string[] {
  // `ldd` may execute what it looks at, as the experiment did; of a script it says nothing.
  if (!existsSync('/usr/bin/ldd') || !isElf(file)) return [];
  try {
    const text = execFileSync('ldd', [file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return [...text.matchAll(/(?:=> |^\s+)(\/\S+) \(0x/gm)].map(([, path]) => path!);
  } catch {
    return [];
  }
}

function isElf(file: string): boolean {
  const head = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, head, 0, 4, 0);
  } finally {
    closeSync(descriptor);
  }
  return head.toString('latin1') === '\x7fELF';
}
