import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { subcommands } from '../src/commands/registry.ts';
import { Scene } from './e2e/support.ts';

const pathOf = (shell: string): string => fileURLToPath(new URL(`../completions/deadheat.${shell}`, import.meta.url));
const names = subcommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);

/** What bash offers for the last of the words that are typed. */
function complete(...words: readonly string[]): readonly string[] {
  const script = `source ${pathOf('bash')}; compopt() { :; }
    COMP_WORDS=(deadheat "$@"); COMP_CWORD=$#; _deadheat; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' });
  return printed.split('\n').filter((line) => line !== '');
}

describe.skipIf(spawnSync('bash', ['--version']).error !== undefined)('completion in bash', () => {
  it.each([
    [['gi'], ['git']],
    [['analy'], ['analyse', 'analyze']],
    [
      ['--until', ''],
      ['decided', 'faster'],
    ],
    [['--interval', 'b'], ['bca']],
    [['git', 'main', '--setu'], ['--setup']],
    [['analyze', '--form'], ['--format']],
    [['fleet', 'in'], ['init']],
    [
      ['lab', 'workload', 'load', '--mode', 'bu'],
      ['busy', 'bursts'],
    ],
    [['completions', '--he'], ['--help']],
    [['--quick', 'gi'], []],
    [['git', 'dem'], []],
    [['--nothing-like'], []],
  ])('of %j offers %j', (words, offered) => {
    expect(complete(...words)).toEqual(offered);
  });

  it('offers every subcommand first', () => {
    expect(complete('')).toEqual(expect.arrayContaining(names));
  });
});

describe.each([['bash'], ['zsh'], ['fish']])('the script for %s', (shell) => {
  it('names every subcommand, and is what the command prints', async () => {
    const text = readFileSync(pathOf(shell), 'utf8');
    for (const name of names) expect(text).toMatch(new RegExp(String.raw`(?<![\w-])${name}(?![\w-])`));
    const { status, stdout, stderr } = await new Scene().run(['completions', shell]);
    expect([status, stdout, stderr]).toEqual([0, text, '']);
  });

  it.skipIf(spawnSync(shell, ['--version']).error !== undefined)('is read by the shell without complaint', () => {
    expect(spawnSync(shell, ['-n', pathOf(shell)], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('deadheat completions', () => {
  it('names the shells where none or an unknown one is asked for', async () => {
    expect(await new Scene().run(['completions'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('bash, zsh, fish') as string,
    });
    expect(await new Scene().run(['completions', 'fisch'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('fish') as string,
    });
  });
});

describe('the manual page', () => {
  const page = readFileSync(fileURLToPath(new URL('../../deadheat/man/deadheat.1', import.meta.url)), 'utf8');

  it('has a section for every subcommand', () => {
    for (const name of subcommands.map((one) => one.name))
      expect(page).toMatch(new RegExp(`^\\.SS "deadheat ${name}[|"]`, 'm'));
  });

  it.skipIf(spawnSync('groff', ['--version']).error !== undefined)('is set without complaint', () => {
    const { status, stderr } = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-z'], { input: page, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
});
