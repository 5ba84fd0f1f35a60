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

/** A configuration that cannot be carried out; exit code 2. The message tells the first problems with their places. */
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

/** Problems that a message tells. */
const mostTold = 20;

/** The error that tells of `problems`, at least one; of many the first. */
export function badConfig(file: string, problems: readonly PlacedProblem[]): ConfigError {
  const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  const told = sorted.slice(0, mostTold).map((problem) => tell(file, problem));
  const untold = sorted.length - told.length;
  const more = untold === 0 ? '' : `\n\nand ${untold} more`;
  const message =
    sorted.length === 1 ? (told[0] ?? '') : `${sorted.length} problems in ${file}\n\n${told.join('\n\n')}${more}`;
  return new ConfigError('BAD_CONFIG', message, { file, problems: sorted });
}

function tell(file: string, { message, hint, line, column, text }: PlacedProblem): string {
  const what = `${file}:${line}:${column}: ${message}`;
  // An empty line shows nothing.
  const where = text.trim() === '' ? [] : ['', renderExcerpt({ text: text.trimEnd(), column: column - 1 })];
  return [what, ...where, ...(hint === null ? [] : ['', hint])].join('\n');
}
