import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigFolder } from '../../../cli/test/config/support-config.ts';

let folder: ConfigFolder;
beforeAll(() => {
  folder = new ConfigFolder();
  symlinkSync('loop', join(folder.path, 'loop'));
});
afterAll(() => folder.end());

function numbers(count: number): string {
  return Array.from({ length: count }, (_, number) => number).join(',');
}
function lines(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => `${line(number)}\n`).join('');
}

/** Each with what its message holds. */
const refused: Readonly<Record<string, readonly [text: string, message: string]>> = {
  'a matrix that multiplies': [
    `command: old\nbenchmarks:\n  a:\n    matrix:\n${lines(8, (k) => `      p${k}: [${numbers(100)}]`)}`,
    'the matrix has 10000000000000000 combinations, more than 10000',
  ],
  'benchmarks that multiply': [
    `command: old\nmatrix: { p: [${numbers(90)}], q: [${numbers(90)}] }\nbenchmarks:\n${lines(500, (k) => `  b${k}: {}`)}`,
    'the file stands for 4050000 measurements, more than 10000',
  ],
  'a long list of equal values': [
    `command: old\nmatrix: { p: [${'x,'.repeat(30_000)}] }\nbenchmarks: { a: }\n`,
    "p has the value 'x' twice",
  ],
  'many unknown keys': [`${lines(3000, (k) => `k${k}: 1`)}benchmarks: { a: }\n`, '3000 problems in deadheat.yaml'],
  'lists inside each other': [`a: ${'['.repeat(300)}${']'.repeat(300)}`, 'more than 100 maps and lists stand inside'],
  'very many lists inside each other': [`a: ${'['.repeat(30_000)}`, 'more than 100 maps and lists stand inside'],
  'a key twice in a long file': [lines(20_000, (k) => `k${k % 19_999}: 1`), 'this key is there twice'],
  'NUL in a command': ['command: "old\\0"\nbenchmarks: { a: }', 'a text without NUL characters'],
  'NUL in a hook': ['command: old\nprepare: "x\\0"\nbenchmarks: { a: }', 'a text without NUL characters'],
  'NUL in a folder': ['command: old\ncwd: "x\\0"\nbenchmarks: { a: }', 'a text without NUL characters'],
  'NUL in a shell': ['command: old\nshell: "sh\\0"\nbenchmarks: { a: }', 'a text without NUL characters'],
  'NUL in a variable': ['command: old\nenvironment: { X: "\\0" }\nbenchmarks: { a: }', 'X must be a text'],
  'NUL in a matrix': ['command: old\nmatrix: { p: ["\\0"] }\nbenchmarks: { a: }', 'must be a text'],
  'a folder that is too long': [`command: old\ncwd: ${'x'.repeat(5000)}\nbenchmarks: { a: }`, 'there is no folder'],
  'a folder that is a link to itself': ['command: old\ncwd: loop\nbenchmarks: { a: }', 'there is no folder'],
  'two thousand million replicates': ['command: old\nreplicates: 2e9\nbenchmarks: { a: }', 'at most 1000000'],
  'two thousand million runs': ['command: old\nruns: 2000000000\nbenchmarks: { a: }', 'at most 1000000000'],
  'a huge number of runs': ['command: old\nruns: 1e308\nbenchmarks: { a: }', 'runs must be a whole number'],
  'a huge confidence': ['command: old\nconfidence: 1e308\nbenchmarks: { a: }', 'a level between 0 and 1'],
  'a confidence without precision': [
    'command: old\nconfidence: 0.9999999999999999\nbenchmarks: { a: }',
    'away from both',
  ],
  'control characters': ['"a\\e]0;x\\a": 1\nbenchmarks: { a: }', 'a\\u{1b}]0;x\\u{7}'],
};

describe('a hostile file', () => {
  it.each(Object.entries(refused))('is refused in a short message: %s', async (_, [text, message]) => {
    const told = await folder.refusalOf(folder.read(text));
    expect(told).toMatch(/^2 /);
    expect(told).toContain(message);
    expect(told.length).toBeLessThan(12_000);
    expect(told).not.toMatch(/[^\P{Cc}\n]/u);
  });

  it.each(['../x', '/x', '.', '..', 'a/b', 'a\\\\b', 'a\\0', 'x\\n', '', 'y'.repeat(61)])(
    'cannot name an artifact by a path, but by a name: %j',
    async (name) => {
      const told = await folder.refusalOf(
        folder.read(`command: old\nartifacts: { "${name}": x }\nbenchmarks: { a: }\n`),
      );
      expect(told).toContain('cannot be a key here: a name of at most 60 characters');
    },
  );

  it('may name an artifact in any language', async () => {
    const { artifacts } = await folder.read('command: old\nartifacts: { größe v1.2: x }\nbenchmarks: { a: }\n');
    expect(artifacts).toEqual({ 'größe v1.2': 'x' });
  });
});
