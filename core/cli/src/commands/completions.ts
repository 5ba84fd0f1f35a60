import { readFileSync } from 'node:fs';
import { parseChoice } from 'deadheat/settings';
import { type Command, defineCommand } from '../command/define-command.ts';
import { exitCodes } from '../errors/exit-codes.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** `deadheat completions`: prints a script that `scripts/generate.js` made. */
export const completions: Command = defineCommand({
  description: 'Prints a script with which a shell completes subcommands, options and their values.',
  usage: shells.join('|'),
  args: { '<shell>': `the name of a shell: ${shells.join(', ')}` },
  act: async (_values, { shell }, { stdout }) => {
    const name = parseChoice('completions', shells)(shell);
    stdout.write(readFileSync(new URL(`../../completions/deadheat.${name}`, import.meta.url), { encoding: 'utf8' }));
    return exitCodes.done;
  },
  examples: `
Examples:
  source <(deadheat completions bash)
      in ~/.bashrc
  deadheat completions zsh > ~/.zfunc/_deadheat
      with fpath+=(~/.zfunc) before compinit in ~/.zshrc
  deadheat completions fish > ~/.config/fish/completions/deadheat.fish`,
});
