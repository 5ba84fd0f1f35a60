import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { javaSampler } from './java.ts';
import { nativeSampler } from './native.ts';
import { nodeSampler } from './node.ts';
import { pythonSampler } from './python.ts';
import type { Sampler } from './sampler.ts';

const names: readonly (readonly [RegExp, Sampler])[] = [
  [/^(?:node(?:js)?(?:-?\d+)?|npx|npm)$/, nodeSampler],
  [/^(?:python|pypy)(?:\d+(?:\.\d+)?)?$/, pythonSampler],
  [/^java(?:-?\d+)?$/, javaSampler],
];

/**
 * The sampler of a program: that of the runtime by whose name it is started, or that its first line names; of everything else that of
 * native programs. Of a command that the shell executes the first program decides.
 *
 * @param command its words, and its command line where a shell executes them
 */
export function samplerOf({
  argv,
  executedBy,
  commandLine,
}: {
  readonly argv: readonly string[];
  readonly executedBy: 'direct' | 'shell';
  readonly commandLine: string;
}): Sampler {
  const first = commandLine.split(/\s+/).find((word) => !/^(?:[A-Za-z_]\w*=.*|exec|time|env)$/.test(word));
  const program = executedBy === 'shell' ? (first ?? '') : (argv[0] ?? '');
  const candidates = [basename(program), basename(real(program)), ...interpreterWords(program)];
  for (const candidate of candidates) {
    const found = names.find(([pattern]) => pattern.test(candidate));
    if (found !== undefined) return found[1];
  }
  return nativeSampler;
}

/** The names in the first line of a script: `#!/usr/bin/env python3`. */
function interpreterWords(path: string): readonly string[] {
  const head = Buffer.alloc(128);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, head, 0, head.length, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
  const [line = ''] = head.toString('latin1').split('\n');
  return line.startsWith('#!')
    ? line
        .slice(2)
        .trim()
        .split(/\s+/)
        .map((word) => basename(word))
    : [];
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
