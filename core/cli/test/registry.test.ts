import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isFamily } from '../src/command/define-command.ts';
import type { LoadedCommand } from '../src/command/to-commander.ts';
import { subcommands, suggestSubcommand } from '../src/commands/registry.ts';
import { helpPages } from '../src/program/help-pages.ts';
import { subcommandsIn } from '../src/program/load-subcommands.ts';
import { loaded, parse } from './support-arguments.ts';

const page = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8');
const headings = page.split('\n');

/** The commands that are values, those below families included. */
function valuesIn(all: readonly object[]): readonly LoadedCommand[] {
  const values = all.filter((one): one is LoadedCommand => 'below' in one);
  return values.flatMap((one) => [one, ...valuesIn(one.below)]);
}

describe('the registry of subcommands', () => {
  it('names each of them once', () => {
    const names = subcommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('names options of the same command where options exclude or need each other', () => {
    for (const { name, command, below } of valuesIn([...loaded.values()])) {
      if (command === null || isFamily(command)) continue;
      const words = Object.keys(command.args).map((word) =>
        word === '--' ? 'commandLine' : word.replaceAll(/[<>[\].]/g, ''),
      );
      const keys = new Set([...words, ...Object.keys(command.options)]);
      for (const { needs = [], without = [], only = [] } of Object.values(command.options)) {
        expect([name, [...needs, ...without, ...only].filter((key) => !keys.has(key))]).toEqual([name, []]);
      }
      expect(below).toEqual([]);
    }
  });

  it.each(subcommands)('stands in the help and in docs/command-line.md: $name', ({ name, summary }) => {
    const help = parse(['--help']);
    expect(help).toMatchObject({ kind: 'help' });
    const text = (help as { readonly text: string }).text.replaceAll(/\s+/g, ' ');
    expect(text).toContain(summary);
    expect(headings).toContain(`## deadheat ${name}`);
  });

  it('has every command below a subcommand in docs/command-line.md as well', async () => {
    const pages = await helpPages();
    expect(pages).toContainEqual(['fleet', 'roles']);
    for (const words of pages) expect(headings).toContain(`## ${['deadheat', ...words].join(' ')}`);
  });

  it('has its whole help, of at most 80 columns, in docs/command-line.md', async () => {
    for (const words of await helpPages()) {
      const help = parse([...words, '--help', 'all']);
      if (help.kind !== 'help') throw new TypeError('no help');
      expect(page).toContain(`\`\`\`text\n${help.text.trimEnd()}\n`);
      // Lines of usage and examples are not wrapped.
      const wrapped = help.text.split('\n').filter((line) => !/^(?:Usage:| +deadheat) /.test(line));
      expect(wrapped.filter((line) => line.length > 80)).toEqual([]);
    }
  });

  it('is what misspelt words are held against', () => {
    expect(suggestSubcommand('bisekt')).toBe('bisect');
    for (const { name } of subcommands) expect(suggestSubcommand(name)).toBeNull();
  });

  it('loads the subcommand that is called and no other', () => {
    const called = (...args: readonly string[]): readonly string[] => subcommandsIn(args).map(({ name }) => name);
    expect(called('git', 'main', '--', 'npm', 'run')).toEqual(['git']);
    expect(called('help', 'analyze')).toEqual(['analyse']);
    expect(called('gzip -6 f', 'gzip -7 f')).toEqual([]);
    expect(called('--runs', '5', 'plan')).toEqual(['plan']);
  });
});

describe('a short help', () => {
  const helpOf = (...args: readonly string[]): string => {
    const invocation = parse(args);
    if (invocation.kind !== 'help') throw new Error(`a ${invocation.kind}`);
    return invocation.text;
  };
  const optionsIn = (text: string): readonly string[] => text.match(/^ {2}(?:-\w, )?--[a-z-]+/gm) ?? [];

  it.each([[[]], [['git']], [['npm']], [['bisect']]])(
    'of %s leaves out rare options and says where they are',
    (words) => {
      const [short, all] = [helpOf(...words, '--help'), helpOf(...words, '--help', 'all')];
      expect(optionsIn(short).length).toBeLessThan(26);
      expect(optionsIn(all).length).toBeGreaterThan(optionsIn(short).length + 15);
      expect(short).toContain(`${['deadheat', ...words].join(' ')} --help all shows `);
      expect(all).not.toContain('--help all shows ');
    },
  );

  it('of a comparison has 15 options besides those about help', () => {
    expect(optionsIn(helpOf('--help')).filter((option) => !/--(?:help|version)$/.test(option))).toHaveLength(15);
  });

  it('of any other subcommand has every option', () => {
    expect(helpOf('doctor', '--help')).toBe(helpOf('doctor', '--help', 'all'));
  });
});
