import { nearestWord } from './nearest-word.ts';

const subcommands = ['demo', 'analyse', 'analyze', 'help'];

/** The subcommand that `word` looks like a misspelling of; `null` when it looks like none, or is one. */
export function suggestSubcommand(word: string): string | null {
  if (subcommands.includes(word)) return null;
  return nearestWord(word.toLowerCase(), subcommands);
}
