import { nearestWord } from 'deadheat/settings';

/** Every subcommand and alias; a test holds the list to the program's. */
export const subcommandNames: readonly string[] = [
  'demo',
  'analyse',
  'analyze',
  'run',
  'serve',
  'git',
  'npm',
  'bisect',
  'calibrate',
  'plan',
  'warmup',
  'report',
  'export',
  'merge',
  'worker',
  'fleet',
  'cancel',
  'ci',
  'push',
  'pull',
  'history',
  'sql',
  'simulate',
  'study',
  'doctor',
  'workload',
  'protocol',
  'cleanup',
  'help',
];

/** The subcommand that `word` looks like a misspelling of; `null` when it looks like none, or is one. */
export function suggestSubcommand(word: string): string | null {
  if (subcommandNames.includes(word)) return null;
  return nearestWord(word.toLowerCase(), subcommandNames);
}
