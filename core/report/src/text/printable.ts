import type { Comparison, Method, Side } from '@deadheat/model';
import { beginningOf, escapeControls } from '@deadheat/model/text';

/**
 * A text from outside on one line that cannot steer a terminal: runs of blanks and line breaks become one space,
 * other control characters and direction overrides become `\u{…}`.
 */
export function printable(text: string): string {
  return escapeControls(text.trim().replaceAll(/[\t\n\v\f\r ]+/g, ' '));
}

/**
 * Shortens a text to at most `most` UTF-16 units: a longer text keeps its beginning, ends with `…`, and no surrogate
 * pair is split.
 */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${beginningOf(text, most - 1)}…`;
}

/** The longest beginning of a text that ends with a clause and has at most `most` UTF-16 units; one whose first clause is longer is shortened. */
export function firstClauses(text: string, most: number): string {
  if (text.length <= most) return text.replace(/\.$/, '');
  const ends = [...text.slice(0, most + 2).matchAll(/[.,;](?=\s)| (?=\()/g)].map(({ index }) => index);
  const end = ends.findLast((index) => index <= most && !/\([^)]*$/.test(text.slice(0, index)));
  return end === undefined || end < most / 3 ? shorten(text, most) : text.slice(0, end);
}

/** Texts of at most `most` UTF-16 units that show where both differ: of what they begin with alike, a part is left out where one is longer. */
export function differingParts(texts: readonly [string, string], most: number): readonly string[] {
  const [one, other] = texts;
  if (Math.max(one.length, other.length) <= most) return texts;
  let alike = 0;
  while (alike < one.length && one[alike] === other[alike]) alike += 1;
  const skipped = Math.max(0, Math.min(alike - Math.floor(most / 3), Math.max(one.length, other.length) - most + 1));
  return texts.map((text) => shorten(skipped === 0 ? text : `…${text.slice(skipped)}`, most));
}

/** Name and parameters of a benchmark on one line. */
export function nameOf({ benchmark, params }: Pick<Comparison, 'benchmark' | 'params'>): string {
  return printable([benchmark, ...Object.entries(params).map(([name, value]) => `${name}=${value}`)].join(' '));
}

/** Largest length of a name in a list. */
const longest = 120;

/** The method that a list does not name. */
const usualMethod: Method = 'sync-duet';

/**
 * The name of a benchmark in a list, on one line: its name, its parameters, and the method when the user chose another
 * than the usual one, since a benchmark may be listed once for each method.
 */
export function benchmarkName({
  benchmark,
  params,
  method = usualMethod,
  methodReason = null,
}: Pick<Comparison, 'benchmark' | 'params'> & Partial<Pick<Comparison, 'method' | 'methodReason'>>): string {
  const isUsual = method === usualMethod || methodReason !== null;
  return shorten(`${nameOf({ benchmark, params })}${isUsual ? '' : ` (${method})`}`, longest);
}

/** The method of each entry of a list, where they do not all have the same; else empty texts. */
export function methodNamer<One extends Pick<Comparison, 'method'>>(all: readonly One[]): (one: One) => string {
  const isMixed = new Set(all.map(({ method }) => method)).size > 1;
  return ({ method }) => (isMixed ? method : '');
}

/** Different benchmarks in a list that may hold one several times, once for each method. */
export function benchmarksIn(all: readonly Pick<Comparison, 'benchmark' | 'params'>[]): number {
  return new Set(all.map((one) => nameOf(one))).size;
}

/**
 * Rows as RFC 4180 says, with LF at the end of a line. A value that is not known is empty. A text that a spreadsheet would execute as a
 * formula begins with an apostrophe, and control characters are shown.
 */
export function csvRows(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map((field) => csvField(field)).join(',')}\n`).join('');
}

function inert(text: string): string {
  const shown = text.replaceAll(/[^\t\n\r]+/g, (part) => escapeControls(part));
  return /^\s*[=+@-]/.test(shown) && Number.isNaN(Number(shown)) ? `'${shown}` : shown;
}

function csvField(field: string | number | null): string {
  const text = typeof field === 'string' ? inert(field) : `${field ?? ''}`;
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The command of a version without the name of the version, which is said beside it. */
export function withoutName({ name, command }: Comparison['sides'][Side]): {
  readonly name: string;
  readonly command: string;
} {
  const suffix = `  # ${name}`;
  return { name, command: command.endsWith(suffix) ? command.slice(0, -suffix.length) : command };
}

/** Command of a side, with its name where it has one. */
export function commandOf({ sides: summaries }: Pick<Comparison, 'sides'>, side: Side): string {
  const { name, command } = withoutName(summaries[side]);
  return name === command ? printable(command) : `${printable(name)}: ${printable(command)}`;
}
