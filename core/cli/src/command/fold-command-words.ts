import { quoteWord } from '@deadheat/model';

/** Subcommands that execute what stands behind `--`. */
const withCommand: ReadonlySet<string> = new Set(['git', 'npm', 'bisect']);

/** Begins a word that stands for all words behind `--`; no argument of a process can hold it. */
const mark = '\0';

/**
 * Makes what stands behind `--` one word, so that it can be told from the words before it: one word is a command line, several
 * are a program and its arguments.
 */
export function foldCommandWords(args: readonly string[]): readonly string[] {
  const at = args.indexOf('--');
  if (!withCommand.has(args[0] ?? '') || at === -1) return args;
  const words = args.slice(at + 1);
  const commandLine = words.length === 1 ? (words[0] ?? '') : words.map((word) => quoteWord(word)).join(' ');
  return [...args.slice(0, at), '--', `${mark}${commandLine}`];
}

/** The words before `--`, and the command line behind it; `null` where there was no `--`. */
export function splitCommandWords(words: readonly string[]): {
  readonly before: readonly string[];
  readonly commandLine: string | null;
} {
  const last = words.at(-1);
  if (last?.startsWith(mark) !== true) return { before: words, commandLine: null };
  return { before: words.slice(0, -1), commandLine: last.slice(mark.length) };
}
