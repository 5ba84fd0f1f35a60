import { nearestWord } from '@deadheat/model';
import type { Command, CommanderError } from 'commander';
import { createExcerpt, UsageError } from 'deadheat/settings';

/** Says in this tool's words what commander refused; `command` is the one that `args` were meant for. */
export function explainCommanderError(
  error: CommanderError,
  { args, command }: { readonly args: readonly string[]; readonly command: Command },
): UsageError {
  const quoted = /'(.*)'/s.exec(error.message)?.[1] ?? '';
  switch (error.code) {
    case 'commander.unknownOption':
      return unknownOption(quoted, { args, command });
    case 'commander.missingArgument':
      return missingArgument(quoted, command);
    case 'commander.optionMissingArgument':
      return new UsageError('MISSING_VALUE', `${quoted.split(' ')[0]} needs a value: ${quoted}`, {
        excerpt: createExcerpt(['deadheat', ...args], { at: args.length + 1 }),
      });
    case 'commander.help':
      return new UsageError('UNKNOWN_SUBCOMMAND', `there is no help for ${args.slice(1).join(' ')}`, {
        hint: 'deadheat --help shows the options of comparisons and lists the subcommands.',
      });
    default:
      return new UsageError('BAD_VALUE', error.message.replace(/^error: /, ''));
  }
}

function missingArgument(name: string, command: Command): UsageError {
  if (command.name() === 'analyse') {
    return new UsageError('MISSING_COMMAND', 'analyse needs the folder of a recording', {
      hint: 'Recordings are in .deadheat unless --output said otherwise.',
    });
  }
  return new UsageError('MISSING_COMMAND', `${pathOf(command)} needs ${name}`, {
    hint: `deadheat ${pathOf(command)} --help shows its options.`,
  });
}

/** Names of the subcommands down to this one. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`;
}

function unknownOption(
  typed: string,
  { args, command }: { readonly args: readonly string[]; readonly command: Command },
): UsageError {
  const at = args.indexOf(typed);
  const excerpt = at === -1 ? null : createExcerpt(['deadheat', ...args], { at: at + 1 });
  const known = [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  const nearest = nearestWord(typed.replace(/=.*$/s, ''), known);
  const value = /^--[^=]+=/.test(typed) && known.includes(typed.replace(/=.*$/s, ''));
  const hint = ((): string => {
    if (value) return `${typed.replace(/=.*$/s, '')} takes no value.`;
    if (nearest !== null) return `Did you mean ${nearest}?`;
    if (typed.startsWith('--'))
      return `deadheat ${command.parent === null ? '' : `${pathOf(command)} `}--help lists the options.`;
    return "A command and its arguments are one word for deadheat; put them in quotes: 'gzip -6 file'.";
  })();
  return new UsageError('UNKNOWN_OPTION', `unknown option ${typed}`, { excerpt, hint });
}
