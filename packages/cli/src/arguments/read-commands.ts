import type { Side } from '@deadheat/model';
import { createExcerpt, UsageError } from 'deadheat/settings';
import { suggestSubcommand } from '../program/suggest-subcommand.ts';

/** The commands of both sides from the words that are no options; one alone is both. */
export function readCommands(words: readonly string[]): {
  readonly commands: Readonly<Record<Side, string>>;
  readonly alone: boolean;
} {
  const [a, b] = words;
  if (a === undefined) {
    throw new UsageError('MISSING_COMMAND', 'no command to compare', {
      hint: "Give two commands, deadheat 'command A' 'command B', or try deadheat demo; deadheat --help shows the options.",
    });
  }
  if (words.length > 2) {
    const meant = suggestSubcommand(a);
    throw new UsageError('TOO_MANY_ARGUMENTS', `deadheat compares two commands, not ${words.length}`, {
      excerpt: createExcerpt(['deadheat', ...words], { at: 3 }),
      hint:
        meant === null
          ? "A command and its arguments are one word, in quotes: deadheat 'gzip -6 file' 'gzip -7 file'."
          : `Did you mean deadheat ${meant}?`,
    });
  }
  const empty = words.findIndex((word) => word.trim() === '');
  if (empty !== -1) {
    throw new UsageError('MISSING_COMMAND', `command ${empty === 0 ? 'A' : 'B'} is empty`, {
      excerpt: createExcerpt(['deadheat', ...words], { at: empty + 1 }),
    });
  }
  return { commands: { A: a, B: b ?? a }, alone: b === undefined };
}
