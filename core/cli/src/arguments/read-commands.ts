import type { Side } from '@deadheat/model';
import { createExcerpt, UsageError } from 'deadheat/settings';

/** What is compared with what. */
export interface ReadCommands {
  readonly commands: Readonly<Record<Side, string>>;
  /** Whether a single command is compared with itself. */
  readonly alone: boolean;
  /** Commands that are compared with A as well, beside B. */
  readonly further: readonly string[];
  /** By side, then by `further`: the place of each command among those that were typed, from 0. */
  readonly places: readonly number[];
}

/**
 * The commands from the words that are no options; one alone is both sides. Of more the first is A, or the one that the reference names:
 * by its number, or by a command line that is put before the others.
 */
export function readCommands(
  typed: readonly string[],
  {
    reference = null,
    most = Number.POSITIVE_INFINITY,
  }: { readonly reference?: string | null; readonly most?: number } = {},
): ReadCommands {
  const empty = typed.findIndex((word) => word.trim() === '');
  if (typed[0] === undefined) {
    throw new UsageError('MISSING_COMMAND', 'no command to compare', {
      hint: "Give two commands, deadheat 'command A' 'command B', or try deadheat demo; deadheat --help shows the options.",
    });
  }
  if (empty !== -1) {
    const called = typed.length > 2 ? `${empty + 1}` : empty === 0 ? 'A' : 'B';
    throw new UsageError('MISSING_COMMAND', `command ${called} is empty`, {
      excerpt: createExcerpt(['deadheat', ...typed], { at: empty + 1 }),
    });
  }
  const isNumber = reference !== null && /^\d+$/.test(reference);
  const words = reference === null || isNumber ? typed : [reference, ...typed];
  if (words.length > most) {
    throw new UsageError('TOO_MANY_ARGUMENTS', `two commands are compared here, not ${words.length}`, {
      excerpt: createExcerpt(['deadheat', ...typed], { at: Math.min(most + 1, typed.length) }),
      hint: "A command and its arguments are one word, in quotes: deadheat 'gzip -6 file' 'gzip -7 file'.",
    });
  }
  const first = isNumber ? Number(reference) - 1 : 0;
  if (first < 0 || first >= words.length || (isNumber && words.length === 1)) {
    throw new UsageError(
      'BAD_VALUE',
      `--reference ${reference} is the number of no command: there ${there(words.length)}`,
      {
        hint: 'Number them from 1, or write the command itself.',
      },
    );
  }
  const places = [first, ...words.map((_, place) => place).filter((place) => place !== first)];
  const [a = '', b = a, ...further] = places.map((place) => words[place] ?? '');
  return { commands: { A: a, B: b }, alone: words.length === 1, further, places };
}

function there(count: number): string {
  return count === 1 ? 'is a single one' : `are ${count}`;
}
