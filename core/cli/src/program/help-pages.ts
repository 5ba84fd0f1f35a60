import { Command } from 'commander';
import { toCommander } from '../command/to-commander.ts';
import { loadSubcommands } from './load-subcommands.ts';

/**
 * The words of every command that has a help of its own, in the order of the help: none for the command itself, then those of subcommands
 * and of commands below them. Of several siblings that take the same options the first stands for all.
 */
export async function helpPages(): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [[]];
  for (const [name, loaded] of await loadSubcommands()) {
    const context = { create: (word: string): Command => new Command(word), choose: (): void => {} };
    pages.push(...pagesOf(toCommander(loaded, context), [name]));
  }
  return pages;
}

function pagesOf(command: Command, words: readonly string[]): readonly (readonly string[])[] {
  const seen = new Set<string>();
  const below = command.commands.filter(({ options }) => {
    const flags = options.map((option) => option.flags).join(' ');
    if (flags !== '' && seen.has(flags)) return false;
    seen.add(flags);
    return true;
  });
  return [words, ...below.flatMap((one) => pagesOf(one, [...words, one.name()]))];
}
