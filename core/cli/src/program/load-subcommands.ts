import { subcommands } from '../commands/registry.ts';
import type { Subcommand, SubcommandModule } from '../commands/subcommand.ts';

/** Modules of subcommands by the subcommands' names. */
export type LoadedSubcommands = ReadonlyMap<string, SubcommandModule>;

/** Loads the modules of these subcommands. */
export async function loadSubcommands(wanted: readonly Subcommand[] = subcommands): Promise<LoadedSubcommands> {
  return new Map(
    await Promise.all(wanted.map(async ({ name, load }): Promise<[string, SubcommandModule]> => [name, await load()])),
  );
}

/** The subcommands that arguments may call, or ask the help of: no others are needed to read them. */
export function subcommandsIn(args: readonly string[]): readonly Subcommand[] {
  const [first = '', second = ''] = args;
  const called = find(first === 'help' ? second : first);
  if (called !== undefined) return [called];
  // An option may stand before a subcommand, which is refused in its name.
  return subcommands.filter((subcommand) => args.some((word) => find(word) === subcommand));
}

function find(word: string): Subcommand | undefined {
  return subcommands.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
}
