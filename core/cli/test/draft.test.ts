import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { experimentSchema, type Command } from '@deadheat/model';
import { CommandError } from '../../deadheat/src/errors/command-error.ts';
import { findExecutable, type Located } from '../../deadheat/src/draft/find-executable.ts';
import { resolveCommand, type ShellChoice } from '../../deadheat/src/draft/resolve-command.ts';
import { splitWords } from '../../deadheat/src/draft/split-words.ts';
import { draftOf } from './support-arguments.ts';
import { suggestSubcommand } from '../src/commands/registry.ts';
import { explainError } from '../src/errors/explain-error.ts';

const programs = new Set(['gzip', 'true', 'bash', 'awk', 'sort']);

/** A machine with a few programs in /bin and nothing else. */
function which(word: string): Located {
  return programs.has(word) ? { kind: 'found', path: `/bin/${word}` } : { kind: 'missing' };
}

function resolve(commandLine: string, shell: ShellChoice = { kind: 'automatic' }): Command {
  return resolveCommand(commandLine, { side: 'B', shell, which, name: null, suggest: suggestSubcommand });
}

function explain(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    const { message, exitCode } = explainError(error);
    return `${exitCode} ${message}`;
  }
  return 'no error';
}

describe('splitting a command line', () => {
  it('obeys single quotes, double quotes and backslashes as sh does', () => {
    const line = String.raw`a  'b c' "d \"e\" \x" f\ g ''h ""`;
    expect(splitWords(line)).toEqual({ words: ['a', 'b c', String.raw`d "e" \x`, 'f g', 'h', ''], plain: true });
  });

  it.each([
    'a | b',
    'a && b',
    'a; b',
    'a > f',
    'a < f',
    'a &',
    '(a)',
    'a $HOME',
    'a "$HOME"',
    'a `b`',
    'a *.c',
    'a ?',
    'a [xy]',
    'a ~',
    'a #b',
    'X=1 a',
    'a {1..3}',
    'a {b,c}',
    'a\nb',
  ])('sees that %j needs a shell', (line) => {
    expect(splitWords(line).plain).toBe(false);
  });

  it.each([
    "a '|' '$x'",
    String.raw`a \; \*`,
    'a b#c b~',
    'a {placeholder}',
    "awk '{print $1}'",
    "jq '{a,b}'",
    "'X=1' a",
    'a --x=1',
    'a\n',
    'a "b c"',
  ])('sees that %j needs none', (line) => {
    expect(splitWords(line).plain).toBe(true);
  });

  it('points at a quote that is not closed', () => {
    expect(explain(() => resolve(`gzip "a b`))).toBe(
      '2 deadheat: a double quote is not closed in the command gzip "a b\n\n  gzip "a b\n       ^',
    );
  });
});

describe('resolving a command', () => {
  it('executes a plain command directly', () => {
    expect(resolve("gzip -c 'my file'")).toEqual({
      name: "gzip -c 'my file'",
      commandLine: "gzip -c 'my file'",
      argv: ['/bin/gzip', '-c', 'my file'],
      executedBy: 'direct',
    });
  });

  it.each(['exit 3', 'cd /', 'ulimit -n', ':', '. ./env', 'if true; then true; fi', 'gzip f | sort', 'X=1 gzip'])(
    'gives %j to the shell',
    (line) => {
      expect(resolve(line)).toMatchObject({ argv: ['/bin/sh', '-c', line], executedBy: 'shell' });
    },
  );

  it('prefers the program true to the built-in, and asks the shell for one that is not installed', () => {
    expect(resolve('true').argv).toEqual(['/bin/true']);
    expect(resolve('echo hi').argv).toEqual(['/bin/sh', '-c', 'echo hi']);
  });

  it('gives every command to the shell of the user', () => {
    expect(resolve('gzip -c f', { kind: 'shell', commandLine: 'bash -e' }).argv).toEqual([
      '/bin/bash',
      '-e',
      '-c',
      'gzip -c f',
    ]);
  });

  it('takes shell syntax literally without a shell', () => {
    expect(resolve('gzip a | sort', { kind: 'none' })).toMatchObject({
      argv: ['/bin/gzip', 'a', '|', 'sort'],
      executedBy: 'direct',
    });
  });

  it('names the side, the word and what to do when a program is not there', () => {
    expect(explain(() => resolve('gzap -c'))).toBe(
      '4 deadheat: command B: gzap was not found\nIt is in no folder of PATH; for a program in the current folder write ./gzap.',
    );
    expect(explain(() => resolve('exit 3', { kind: 'none' }))).toMatch(
      /Without a shell \(-N\) there are no built-in commands/,
    );
    expect(explain(() => resolve('./nope'))).toMatch(/There is no such file/);
    expect(explain(() => resolve('a', { kind: 'shell', commandLine: 'fish' }))).toMatch(
      /^4 deadheat: the shell of command B: fish was not found/,
    );
  });

  it('asks whether a subcommand was meant', () => {
    expect(explain(() => resolve('anlyse'))).toBe(
      '4 deadheat: command B: anlyse was not found\nDid you mean deadheat analyse?',
    );
    expect(['analise', 'dmeo', 'hlep', 'Analyse', 'demo', 'gzip', 'x'].map((word) => suggestSubcommand(word))).toEqual([
      'analyse',
      'demo',
      'help',
      'analyse',
      null,
      null,
      null,
    ]);
  });

  it('refuses an empty command and a shell with shell syntax', () => {
    expect(explain(() => resolve('  '))).toBe('2 deadheat: command B is empty');
    expect(explain(() => resolve('a', { kind: 'shell', commandLine: 'bash | sh' }))).toMatch(
      /^2 deadheat: --shell must be/,
    );
  });
});

describe('looking for a program', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'deadheat-which-'));
    for (const name of ['first', 'second']) mkdirSync(join(folder, name));
    mkdirSync(join(folder, 'first', 'tool'));
    writeFileSync(join(folder, 'second', 'tool'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(folder, 'first', 'text'), 'text', { mode: 0o644 });
    chmodSync(join(folder, 'second', 'tool'), 0o755);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const find = (word: string): Located => findExecutable(word, { path: 'first:second', cwd: folder });

  it('takes the first file that may be executed, not a folder of that name', () => {
    expect(find('tool')).toEqual({ kind: 'found', path: join(folder, 'second', 'tool') });
  });

  it('tells a file without permission from none', () => {
    expect(find('text')).toEqual({ kind: 'not-executable', path: join(folder, 'first', 'text') });
    expect(find('nothing')).toEqual({ kind: 'missing' });
  });

  it('takes a word with a slash as a path', () => {
    expect(find('./second/tool')).toEqual({ kind: 'found', path: join(folder, 'second', 'tool') });
    expect(find('./first')).toEqual({ kind: 'directory', path: join(folder, 'first') });
    expect(find('./tool')).toEqual({ kind: 'missing' });
  });

  it('explains a file without permission and a folder', () => {
    const find2 = (commandLine: string) => () =>
      resolveCommand(commandLine, { side: 'A', shell: { kind: 'none' }, which: find, name: null, suggest: () => null });
    expect(find2('text')).toThrow(CommandError);
    expect(explain(find2('text'))).toMatch(/^4 deadheat: command A: \S+first\/text may not be executed\nRun chmod \+x/);
    expect(explain(find2('./first'))).toMatch(/is a folder, not a program/);
  });
});

describe('the experiment of a comparison', () => {
  it('is a config that the model accepts once its CPUs are chosen', () => {
    const config = draftOf(['gzip -6 f', 'gzip -7 f', '--input', 'package.json']);
    const ofMachine = { cpus: [0, 1], tandemCpus: [0, 1], sequentialCpus: [0, 1], lanes: 1 };
    const fitted = { ...config, ...ofMachine };
    expect(experimentSchema.shape.config.parse(fitted)).toEqual(fitted);
    expect(config).toMatchObject({ name: 'gzip', seed: '1a2b3c4d', cpus: null, lanes: null, minimumOverlapRate: 0.4 });
    expect(config.benchmarks).toMatchObject([
      { name: 'gzip -6 f vs gzip -7 f', params: {}, input: join(process.cwd(), 'package.json') },
    ]);
  });

  it('has a benchmark for each combination, with parameters filled into commands, names and hooks', () => {
    const config = draftOf([
      '-P',
      'n',
      '1',
      '2',
      '-L',
      'f',
      'a,b',
      '-n',
      'level {n}',
      '-p',
      'rm {f} {other}',
      'gzip -{n} {f} {other}',
      'sort {f}',
    ]);
    expect(config.benchmarks.map(({ params }) => params)).toEqual([
      { n: '1', f: 'a' },
      { n: '1', f: 'b' },
      { n: '2', f: 'a' },
      { n: '2', f: 'b' },
    ]);
    expect(config.benchmarks[3]).toMatchObject({
      name: 'level 2',
      commands: {
        A: { commandLine: 'gzip -2 b {other}', argv: ['/bin/gzip', '-2', 'b', '{other}'] },
        B: { name: 'level 2' },
      },
      hooks: { A: { prepare: 'rm b {other}' }, B: { prepare: 'rm b {other}', setup: null } },
    });
  });

  it('does not look for parameters inside the values of parameters', () => {
    const config = draftOf(['-L', 'a', '{b}', '-L', 'b', '1', 'gzip {a} -{b}']);
    expect(config.benchmarks[0]?.commands.A.commandLine).toBe('gzip {b} -1');
  });

  it('asks whether a subcommand was meant, though more words follow it', () => {
    const suggest = (word: string) => (word === 'bisct' ? 'bisect' : null);
    expect(() => draftOf(['bisct', 'a', 'b'], { find: () => ({ kind: 'missing' }), suggest })).toThrow(
      expect.objectContaining({ hint: 'Did you mean deadheat bisect?' }),
    );
  });

  it('refuses a parameter that changes nothing, and names what was probably meant', () => {
    const draft = (...args: readonly string[]) => draftOf(args);
    expect(() => draft('-L', 'x', '1,2', 'true', 'true')).toThrow(/the parameter x has no effect/);
    expect(() => draft('-L', 'x', '1,2', 'true {y}', 'true')).toThrow(
      expect.objectContaining({ hint: 'There is {y}, for which there is no parameter. Did you mean {x}?' }),
    );
    expect(draft('-L', 'x', '1,2', '--prepare', 'rm {x}', 'true', 'true').benchmarks).toHaveLength(2);
  });

  it('names its folder with plain characters', () => {
    const name = (...args: readonly string[]): string => draftOf(args).name;
    expect(name('gzip a', 'sort a')).toBe('gzip-vs-sort');
    expect(name('gzip a', 'gzip b', '-n', 'old ü/../x', '-n', '..')).toBe('old-..-x-vs');
    expect(name(': a')).toBe('comparison');
  });

  it('takes the CPUs and the seed of the user', () => {
    const config = draftOf(['--cpus', '1,0', '--seed', 'x', 'true']);
    expect(config).toMatchObject({ cpus: [1, 0], seed: 'x' });
  });
});
