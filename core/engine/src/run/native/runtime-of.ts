import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from '@deadheat/model';

/** A runtime that samples or counts in a way of its own; `native` = everything else. */
export type Runtime = 'node' | 'native' | 'python' | 'java';

const names: readonly (readonly [RegExp, Runtime])[] = [
  [/^(?:node(?:js)?(?:-?\d+)?|npx|npm)$/, 'node'],
  [/^(?:python|pypy)(?:\d+(?:\.\d+)?)?$/, 'python'],
  [/^java(?:-?\d+)?$/, 'java'],
];

/**
 * The runtime by whose name a program is started, or that its first line names. Of a command that the shell executes the first program
 * decides.
 */
export function runtimeOf({
  argv,
  executedBy,
  commandLine,
}: Pick<Command, 'argv' | 'executedBy' | 'commandLine'>): Runtime {
  const first = commandLine.split(/\s+/).find((word) => !/^(?:[A-Za-z_]\w*=.*|exec|time|env)$/.test(word));
  const program = executedBy === 'shell' ? (first ?? '') : (argv[0] ?? '');
  const candidates = [basename(program), basename(real(program)), ...interpreterWords(program)];
  for (const candidate of candidates) {
    const found = names.find(([pattern]) => pattern.test(candidate));
    if (found !== undefined) return found[1];
  }
  return 'native';
}

/** The names in the first line of a script: `#!/usr/bin/env python3`. */
function interpreterWords(path: string): readonly string[] {
  let line = '';
  try {
    [line = ''] = headOf(path, 128).split('\n');
  } catch {
    return [];
  }
  return line.startsWith('#!')
    ? line
        .slice(2)
        .trim()
        .split(/\s+/)
        .map((word) => basename(word))
    : [];
}

/** The first bytes of a file, each a character; 0 behind its end. Errors are the system's own. */
export function headOf(path: string, bytes: number): string {
  const head = Buffer.alloc(bytes);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, bytes, 0);
  } finally {
    closeSync(file);
  }
  return head.toString('latin1');
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
