import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const clients = fileURLToPath(new URL('../../../../clients/', import.meta.url));
const fixtures = fileURLToPath(new URL('./fixtures/', import.meta.url));

type Command = readonly [string, ...string[]];

/** Programs that use a client. */
export interface ClientProgram {
  readonly language: string;
  /** Why they cannot run here; `null` when they can. */
  readonly missing: string | null;
  /**
   * Makes a program in a folder; gives the command that starts it, its arguments left out: `example` takes iterations
   * and size, `tasks` a deadline, benchmarks, iterations and invocations.
   */
  readonly build: (directory: string, program: 'example' | 'tasks') => Command;
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

function compiler(language: string, tool: string, flags: readonly string[]): ClientProgram {
  return {
    language,
    missing: missing([tool, '--version']),
    build: (directory, program) => {
      const file = join(directory, `${program}-${tool}`);
      const source = program === 'example' ? join(clients, 'c/examples/sort.c') : join(fixtures, 'tasks.c');
      execFileSync(tool, [...flags, '-O2', '-Wall', '-Wextra', '-Werror', `-I${clients}c`, '-o', file, source]);
      return [file];
    },
  };
}

export const c: ClientProgram = compiler('C', 'gcc', ['-std=c11', '-D_GNU_SOURCE', '-pedantic']);
export const cPlusPlus: ClientProgram = compiler('C++', 'g++', ['-std=c++17', '-x', 'c++']);

/** A virtual machine that begins sooner: programs that end at once need neither the second compiler nor collectors in threads. */
const quickStart = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const quickJavac = quickStart.map((option) => `-J${option}`);

export const java: ClientProgram = {
  language: 'Java',
  missing: missing(['javac', '-version'], ['java', '-version']),
  build: (directory, program) => {
    const classes = join(directory, `classes-${program}`);
    mkdirSync(classes, { recursive: true });
    const source = program === 'example' ? join(clients, 'java/examples/Sort.java') : join(fixtures, 'Tasks.java');
    execFileSync('javac', [
      ...quickJavac,
      '-Xlint:all',
      '-Werror',
      '-d',
      classes,
      join(clients, 'java/Duet.java'),
      source,
    ]);
    return ['java', ...quickStart, '-cp', classes, program === 'example' ? 'Sort' : 'Tasks'];
  },
};

export const python: ClientProgram = {
  language: 'Python',
  missing: missing(['python3', '--version']),
  build: (_, program) =>
    program === 'example'
      ? ['python3', '-B', join(clients, 'python/examples/sort.py')]
      : ['env', `PYTHONPATH=${clients}python`, 'python3', '-B', join(fixtures, 'tasks.py')],
};
