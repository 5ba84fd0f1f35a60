import { UsageError } from 'deadheat/settings';
import { describe, expect, it } from 'vitest';
import { type Command, type CommandEntry, defineCommand, type Family } from '../src/command/define-command.ts';
import { fromPackage } from '../src/commands/registry.ts';
import { choice, count, exportOption, flag, option, several, text } from '../src/command/option.ts';
import { loadCommands, toCommander, type TypedCommand } from '../src/command/to-commander.ts';
import { Command as CommandLine } from 'commander';

const paint: Command = defineCommand({
  description: 'Paints.',
  args: { '<wall>': 'a wall', '[others...]': 'further walls', '--': 'a command' },
  options: {
    color: option('--color <NAME>', { help: 'color', parse: choice(['red', 'blue']), default: 'red' }),
    coats: option('-c, --coats <N>', { help: 'number of coats', parse: count(1) }),
    brush: several('--brush <NAME>', { help: 'a brush', parse: text('a brush') }),
    primer: option('--primer [NAME]', { help: 'primer', parse: text('a primer'), bare: 'white' }),
    noTape: flag('--no-tape', { help: 'use no tape' }),
    dry: flag('--dry', { help: 'paint nothing', only: ['wall', 'color'], why: 'shows the color only' }),
    thick: flag('--thick', { help: 'thick paint', without: ['coats'], why: 'both are about the paint' }),
    drying: option('--drying <TIME>', { help: 'time', parse: text('a time'), needs: ['coats'] }),
    export: exportOption({ json: 'all walls', csv: 'a table' }),
  },
  act: async () => 0,
});
const scrape: Command = defineCommand({
  description: 'Scrapes.',
  options: { tool: option('--tool <NAME>', { help: 'the tool', parse: text('a tool'), required: 'knife' }) },
  act: async () => 0,
});
const family: Family = {
  description: 'Works on walls.',
  subcommands: [
    { name: 'paint', summary: 'paint', load: async () => paint },
    { name: 'scrape', summary: 'scrape', load: async () => scrape },
  ],
};
const entries: readonly CommandEntry[] = [{ name: 'walls', summary: 'work on walls', load: async () => family }];
const [walls] = await loadCommands(entries, () => true);

/** What was typed behind `walls`. */
function read(...words: readonly string[]): Omit<TypedCommand, 'act'> {
  let typed: TypedCommand | null = null;
  const create = (name: string): CommandLine => new CommandLine(name).exitOverride().configureOutput({ writeErr() {} });
  if (walls === undefined) throw new TypeError('no walls');
  toCommander(walls, { create, choose: (one) => (typed = one), defaults: {} }).parse([...words], { from: 'user' });
  const { act: _act, ...rest } = typed ?? { act: null, path: [], values: {}, args: {} };
  return rest;
}

function refusal(...words: readonly string[]): string {
  try {
    read(...words);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new TypeError('accepted');
}

describe('a command as a value', () => {
  it('has defaults for what is not typed', () => {
    expect(read('paint', 'north')).toEqual({
      path: ['walls', 'paint'],
      values: {
        color: 'red',
        coats: null,
        brush: [],
        primer: null,
        noTape: false,
        dry: false,
        thick: false,
        drying: null,
        export: {},
      },
      args: { wall: 'north', others: [], commandLine: null },
    });
  });

  it('has the values that are typed', () => {
    const words = ['-c', '2', '--brush', 'a', '--brush', 'b', '--primer', '--no-tape', '--export', 'csv:-'];
    expect(read('paint', 'n', 'e', ...words, '--color=blue')).toMatchObject({
      values: { coats: 2, brush: ['a', 'b'], primer: 'white', noTape: true, export: { csv: '-' }, color: 'blue' },
      args: { wall: 'n', others: ['e'] },
    });
    expect(read('paint', 'n', '--primer=grey').values).toMatchObject({ primer: 'grey' });
  });

  it.each([
    ['paint', 'walls paint needs a wall'],
    ['paint n --dry --coats 2', '--coats does nothing with --dry, which shows the color only'],
    ['paint n e --dry', 'an argument (others) does nothing with --dry, which shows the color only'],
    ['paint n --thick --coats 2', '--thick and --coats exclude each other: both are about the paint'],
    ['paint n --drying 1h', '--drying does nothing without --coats'],
    ['paint n --export csv:a --export csv:b', 'the format csv is exported twice'],
    [
      'paint n --export csv:- --export json:-',
      '--export csv:- and --export json:- cannot both write to standard output',
    ],
    ['paint n --export csv', "--export 'csv' is not FORMAT:FILE"],
    ['paint n --export go:x', "--export must be json or csv, not 'go'"],
    ['scrape', 'walls scrape needs --tool'],
    ['scrape --tool knife x', 'too many arguments for walls scrape'],
    ['', 'walls needs a subcommand'],
    ['scrap', 'walls has no subcommand scrap'],
  ])('refuses %j', (line, message) => {
    expect(refusal(...line.split(' ').filter((word) => word !== ''))).toBe(message);
  });
});

it('names the package that is not installed', async () => {
  await expect(fromPackage('@deadheat/absent', 'absent')).rejects.toMatchObject({
    code: 'PACKAGE_MISSING',
    message: 'deadheat absent needs the package @deadheat/absent, which is not installed.',
    hint: expect.stringContaining('npm install @deadheat/absent@') as string,
  });
});
