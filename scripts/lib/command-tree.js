// The command line as data, for what is made from it: completions of shells and the manual page.
import { z } from 'zod';
import { optionTable } from '../../core/deadheat/dist/settings/experiment-table.js';
import { compare } from '../../core/cli/dist/commands/compare.js';
import { loadSubcommands } from '../../core/cli/dist/program/load-subcommands.js';

/**
 * The command `deadheat` and, below it, every subcommand: its words, aliases, summary, description, options and subcommands. Of an option:
 * its flags, whether a value follows, what it is called, and the words that the settings table allows for it.
 */
export async function commandTree() {
  const loaded = await loadSubcommands();
  return nodeOf({ command: compare, below: [...loaded.values()] }, { words: [], ends: [version, help] });
}

const help = switchOf('-h, --help', 'show this help');
const version = switchOf('-V, --version', 'show the version');

/** An option without a value, which every command line has. */
function switchOf(flags, description) {
  const [short, long] = flags.split(', ');
  return { flags, short, long, value: null, words: [], description };
}

function nodeOf({ aliases = [], summary = '', command, below }, { words, ends = [help] }) {
  return {
    words,
    aliases,
    summary,
    description: command.description,
    options: [...Object.values(command.options ?? {}).map(optionOf), ...ends],
    commands: below.map((one) => nodeOf(one, { words: [...words, one.name] })),
  };
}

function optionOf({ flags, help, fallback, read, choices }) {
  const short = /^-\w/.exec(flags)?.[0] ?? null;
  const long = /--[a-z-]+/.exec(flags)?.[0] ?? null;
  const value = read === undefined ? null : (/[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? 'VALUE');
  const words = choices ?? (wordsOfFlags.get(long) ?? []).filter((word) => takes(read, word));
  const description = fallback === undefined ? help : `${help} (default: ${fallback})`;
  return { flags, short, long, value, words: value === null ? [] : words, description };
}

/** The words that a setting may be, by its flags. Of several flags of a setting some may take other values. */
const wordsOfFlags = new Map(
  Object.values(optionTable).flatMap(({ schema, flags }) => {
    const words = wordsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    return flags.map((flag) => [/--[a-z-]+/.exec(flag.flags)?.[0], words]);
  }),
);

function takes(parse, word) {
  try {
    parse?.(word);
    return parse !== undefined;
  } catch {
    return false;
  }
}

function wordsOf({ enum: choices = [], const: one, anyOf = [] }) {
  const own = [...choices, ...(one === undefined ? [] : [one])].filter((word) => typeof word === 'string');
  return [...new Set([...own, ...anyOf.flatMap(wordsOf)])];
}

/** All nodes, the first word first. */
export function allNodes(node) {
  return [node, ...node.commands.flatMap(allNodes)];
}
