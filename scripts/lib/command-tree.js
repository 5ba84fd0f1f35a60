// The command line as data, for what is made from it: completions of shells and the manual page.
import { z } from 'zod';
import { optionTable } from '../../core/deadheat/dist/settings/experiment-table.js';
import { buildProgram } from '../../core/cli/dist/program/build-program.js';
import { loadSubcommands } from '../../core/cli/dist/program/load-subcommands.js';

/**
 * The command `deadheat` and, below it, every subcommand: its words, aliases, summary, description, usage, options and subcommands. Of an
 * option: its flags, whether a value follows, what it is called, and the words that the settings table allows for it.
 */
export async function commandTree() {
  const nothing = () => {};
  const program = buildProgram(
    { compare: nothing, subcommand: nothing },
    { version: '', write: nothing, loaded: await loadSubcommands(), showsAll: true },
  );
  return nodeOf(program, []);
}

function nodeOf(command, words) {
  const help = {
    flags: '-h, --help',
    short: '-h',
    long: '--help',
    value: null,
    words: [],
    description: 'show this help',
  };
  return {
    words,
    aliases: command.aliases(),
    summary: command.summary(),
    description: command.description(),
    usage: command.usage(),
    options: [...command.options.map(optionOf), help],
    commands: command.commands.map((one) => nodeOf(one, [...words, one.name()])),
  };
}

function optionOf({ flags, short = null, long = null, required, optional, description, parseArg }) {
  const value = required || optional ? (/[<[]([^>\]]+)[>\]]/.exec(flags)?.[1] ?? 'VALUE') : null;
  const words = parseArg?.choices ?? (wordsOfFlags.get(long) ?? []).filter((word) => takes(parseArg, word));
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
