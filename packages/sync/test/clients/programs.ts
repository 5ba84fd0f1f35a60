import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const clients = fileURLToPath(new URL('../../../../clients/', import.meta.url));

/** The example program of a client. */
export interface ClientProgram {
  readonly language: string;
  /** Why it cannot run here; `null` when it can. */
  readonly missing: string | null;
  /** Makes the program in a folder; gives the command that starts it, its arguments (iterations, size) left out. */
  readonly build: (directory: string) => readonly [string, ...string[]];
}

function missing(...tools: readonly (readonly [string, string])[]): string | null {
  for (const [tool, versionFlag] of tools) {
    try {
      execFileSync(tool, [versionFlag], { stdio: 'ignore' });
    } catch {
      return `there is no ${tool} here`;
    }
  }
  return null;
}

const compiler = (language: string, tool: string, flags: readonly string[]): ClientProgram => ({
  language,
  missing: missing([tool, '--version']),
  build: (directory) => {
    const program = join(directory, `sort-${tool}`);
    const source = join(clients, 'c/examples/sort.c');
    execFileSync(tool, [...flags, '-O2', '-Wall', '-Wextra', '-Werror', `-I${clients}c`, '-o', program, source]);
    return [program];
  },
});

export const c: ClientProgram = compiler('C', 'gcc', ['-std=c11', '-D_GNU_SOURCE', '-pedantic']);
export const cPlusPlus: ClientProgram = compiler('C++', 'g++', ['-std=c++17', '-x', 'c++']);

export const java: ClientProgram = {
  language: 'Java',
  missing: missing(['javac', '-version'], ['java', '-version']),
  build: (directory) => {
    const classes = join(directory, 'classes');
    mkdirSync(classes, { recursive: true });
    const sources = ['java/Duet.java', 'java/examples/Sort.java'].map((path) => join(clients, path));
    execFileSync('javac', ['-Xlint:all', '-Werror', '-d', classes, ...sources]);
    return ['java', '-cp', classes, 'Sort'];
  },
};

export const python: ClientProgram = {
  language: 'Python',
  missing: missing(['python3', '--version']),
  build: () => ['python3', '-B', join(clients, 'python/examples/parse.py')],
};
