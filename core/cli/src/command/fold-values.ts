import type { Option } from 'commander';
import { createExcerpt, type Excerpt, UsageError } from 'deadheat/settings';
import { quoteWord } from '@deadheat/model';

/** Subcommands that execute what stands behind `--`. */
const withCommand: ReadonlySet<string> = new Set(['git', 'npm', 'bisect', 'attempt']);

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

/** Stands between values folded into one; no argument of a process can hold it. */
const separator = '\0';

const multiValueOptions: Readonly<Record<string, { readonly count: number; readonly values: string }>> = {
  '--parameter-scan': { count: 3, values: 'VAR MIN MAX' },
  '--parameter-list': { count: 2, values: 'VAR A,B,C' },
};

/** The values that {@link foldValues} made one. */
export function splitFoldedValue(folded: string): readonly string[] {
  return folded.split(separator);
}

/**
 * Makes the two or three values of an option one argument, because commander gives an option one value or all that
 * follow. Throws `MISSING_VALUE` where a value is not there or is another option of the program.
 */
export function foldValues(args: readonly string[], options: readonly Option[]): readonly string[] {
  const find = (word: string): Option | undefined => options.find(({ short, long }) => word === short || word === long);
  const folded: string[] = [];
  for (let next = 0; next < args.length; next += 1) {
    const word = args[next] ?? '';
    if (word === '--') return [...folded, ...args.slice(next)];
    const glued = splitGlued(word);
    const option = find(glued?.flag ?? word);
    if (option === undefined || !option.required) {
      folded.push(word);
      continue;
    }
    const { count, values } = multiValueOptions[option.long ?? ''] ?? {
      count: 1,
      values: option.flags.replace(/^[^<]*/, ''),
    };
    const missing = count - (glued === null ? 0 : 1);
    const taken = args.slice(next + 1, next + 1 + missing);
    const misplaced = taken.findIndex((value) => find(value) !== undefined);
    if (taken.length < missing || misplaced !== -1) {
      const at = misplaced === -1 ? args.length : next + 1 + misplaced;
      throw missingValue(option.long ?? word, {
        count,
        values,
        excerpt: createExcerpt(['deadheat', ...args], { at: at + 1 }),
      });
    }
    next += missing;
    if (count === 1) folded.push(word, ...taken);
    else folded.push(option.long ?? word, [...(glued === null ? [] : [glued.value]), ...taken].join(separator));
  }
  return folded;
}

function missingValue(
  flag: string,
  { count, values, excerpt }: { readonly count: number; readonly values: string; readonly excerpt: Excerpt },
): UsageError {
  const needed = count === 1 ? 'a value' : `${count} values`;
  return new UsageError('MISSING_VALUE', `${flag} needs ${needed}: ${flag} ${values}`, { excerpt });
}

/** `--flag=value` and `-Fvalue` taken apart; `null` for a word that is not one of them. */
function splitGlued(word: string): { readonly flag: string; readonly value: string } | null {
  const long = /^(--[^=]+)=(.*)$/s.exec(word);
  if (long !== null) return { flag: long[1] ?? '', value: long[2] ?? '' };
  const short = /^(-[A-Za-z])(.+)$/s.exec(word);
  return short === null ? null : { flag: short[1] ?? '', value: short[2] ?? '' };
}
