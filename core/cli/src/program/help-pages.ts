import { isFamily } from '../command/define-command.ts';
import type { LoadedCommand } from '../command/to-commander.ts';
import { loadSubcommands } from './load-subcommands.ts';

/**
 * The words of every command that has a help of its own, in the order of the help: none for the command itself, then those of subcommands
 * and of commands below them. Of several siblings that take the same options the first stands for all.
 */
export async function helpPages(): Promise<readonly (readonly string[])[]> {
  const loaded = await loadSubcommands();
  return [[], ...[...loaded.values()].flatMap((one) => pagesOf(one, []))];
}

function pagesOf({ name, below }: LoadedCommand, above: readonly string[]): readonly (readonly string[])[] {
  const words = [...above, name];
  const flags = below.map((one) => flagsOf(one));
  const own = below.filter((_, index) => flags[index] === '' || flags.indexOf(flags[index] ?? '') === index);
  return [words, ...own.flatMap((one) => pagesOf(one, words))];
}

/** The flags of a command; empty where it has none, or is a family. */
function flagsOf({ command }: LoadedCommand): string {
  if (command === null || isFamily(command)) return '';
  return Object.values(command.options)
    .map((option) => option.flags)
    .join(' ');
}
