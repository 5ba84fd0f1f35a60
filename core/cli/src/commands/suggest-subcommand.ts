import { nearestWord } from '@deadheat/model';
import { subcommands } from './registry.ts';

/** The subcommand that `word` looks like a misspelling of; `null` when it looks like none, or is one. */
export function suggestSubcommand(word: string): string | null {
  const names = [...subcommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]), 'help'];
  return names.includes(word) ? null : nearestWord(word.toLowerCase(), names);
}
