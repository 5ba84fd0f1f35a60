import { DeadheatError } from '@deadheat/model';
import { renderExcerpt } from '../errors/excerpt.ts';

export type ConfigErrorCode = 'CONFIG_NOT_FOUND' | 'CONFIG_NOT_READABLE' | 'BAD_CONFIG';

/** A problem with its place in the text. */
export interface PlacedProblem {
  readonly message: string;
  readonly hint: string | null;
  /** Line and column from 1. */
  readonly line: number;
  readonly column: number;
  /** The whole line. */
  readonly text: string;
}

/** A configuration that cannot be carried out; exit code 2. The message lists the first problems with their places. */
export class ConfigError extends DeadheatError<ConfigErrorCode> {
  override readonly name = 'ConfigError';
  readonly file: string;
  /** In the order of the file; empty when the file could not be read. */
  readonly problems: readonly PlacedProblem[];

  constructor(
    code: ConfigErrorCode,
    message: string,
    details: { readonly file: string; readonly problems?: readonly PlacedProblem[] },
  ) {
    super(code, message);
    this.file = details.file;
    this.problems = details.problems ?? [];
  }
}

/** Largest number of problems in a message. */
const mostListed = 20;

/** The error for `problems`, of which there is at least one; it lists the first of many. */
export function badConfig(file: string, problems: readonly PlacedProblem[]): ConfigError {
  const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const listed = sorted.slice(0, mostListed).map((problem) => describe(file, problem));
  const omitted = sorted.length - listed.length;
  const more = omitted === 0 ? '' : `\n\nand ${omitted} more`;
  const message =
    sorted.length === 1 ? (listed[0] ?? '') : `${sorted.length} problems in ${file}\n\n${listed.join('\n\n')}${more}`;
  return new ConfigError('BAD_CONFIG', message, { file, problems: sorted });
}

function describe(file: string, { message, hint, line, column, text }: PlacedProblem): string {
  const what = `${file}:${line}:${column}: ${message}`;
  // An empty line shows nothing.
  const where = text.trim() === '' ? [] : ['', renderExcerpt({ text: text.trimEnd(), column: column - 1 })];
  return [what, ...where, ...(hint === null ? [] : ['', hint])].join('\n');
}
