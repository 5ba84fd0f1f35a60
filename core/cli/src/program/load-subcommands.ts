import { type CommandEntry, isFamily } from '../command/define-command.ts';
import { loadCommands, type LoadedCommand } from '../command/to-commander.ts';
import { subcommands } from '../commands/registry.ts';

/** Subcommands by their names. */
export type LoadedSubcommands = ReadonlyMap<string, LoadedCommand>;

/** Loads these subcommands; of a family those below it that `wanted` asks for by their words. */
export async function loadSubcommands(
  entries: readonly CommandEntry[] = subcommands,
  wanted: (path: readonly string[]) => boolean = () => true,
): Promise<LoadedSubcommands> {
  return new Map(
    await Promise.all(
      entries.map(async (entry): Promise<[string, LoadedCommand]> => {
        const command = await entry.load();
        const below = isFamily(command) ? await loadCommands(command.subcommands, wanted, [entry.name]) : [];
        return [entry.name, { ...entry, command, below }];
      }),
    ),
  );
}

/** Loads what arguments may call, or ask the help of: no other subcommands are needed to read them. */
export async function loadCalled(args: readonly string[]): Promise<LoadedSubcommands> {
  return loadSubcommands(subcommandsIn(args), (path) => args.includes(path.at(-1) ?? ''));
}

/** The subcommands that arguments may call, or ask the help of. */
export function subcommandsIn(args: readonly string[]): readonly CommandEntry[] {
  const [first = '', second = ''] = args;
  const called = find(first === 'help' ? second : first);
  if (called !== undefined) return [called];
  // An option may stand before a subcommand, which is refused in its name.
  return subcommands.filter((subcommand) => args.some((word) => find(word) === subcommand));
}

function find(word: string): CommandEntry | undefined {
  return subcommands.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
}
