import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { parseChoice, UsageError } from 'deadheat/settings';
import { exitCodes } from '../errors/exit-codes.ts';
import type { SubcommandContext } from './subcommand.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** `deadheat completions`: the script with which a shell completes the words of this command. `scripts/generate.js` makes the scripts. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  return create('completions')
    .description('Prints a script with which a shell completes subcommands, options and their values.')
    .usage(shells.join('|'))
    .argument('[shell]')
    .action((word: string | undefined) => {
      if (word === undefined) {
        throw new UsageError('MISSING_VALUE', 'completions needs the name of a shell', {
          hint: `Such as: deadheat completions bash. There are ${shells.join(', ')}.`,
        });
      }
      const shell = parseChoice('completions', shells)(word);
      choose(async (terminal) => {
        terminal.stdout.write(
          readFileSync(new URL(`../../completions/deadheat.${shell}`, import.meta.url), { encoding: 'utf8' }),
        );
        return exitCodes.done;
      });
    })
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  source <(deadheat completions bash)
      in ~/.bashrc
  deadheat completions zsh > ~/.zfunc/_deadheat
      with fpath+=(~/.zfunc) before compinit in ~/.zshrc
  deadheat completions fish > ~/.config/fish/completions/deadheat.fish`,
    );
}
