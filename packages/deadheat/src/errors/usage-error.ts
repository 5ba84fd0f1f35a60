import type { Excerpt } from './excerpt.ts';

/** What was wrong with the command line. */
export type UsageErrorCode =
  | 'UNKNOWN_OPTION'
  | 'UNKNOWN_SUBCOMMAND'
  | 'MISSING_VALUE'
  | 'BAD_VALUE'
  | 'CONFLICT'
  | 'MISSING_COMMAND'
  | 'TOO_MANY_ARGUMENTS'
  | 'BAD_COMMAND_LINE'
  | 'UNREADABLE_INPUT';

/** A command line that cannot be carried out as typed; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: UsageErrorCode;
  /** What was typed, with the wrong place; `null` when there is no such place. */
  readonly excerpt: Excerpt | null;
  /** What to do next, one sentence; `null` when the message says it. */
  readonly hint: string | null;

  constructor(
    code: UsageErrorCode,
    message: string,
    { excerpt = null, hint = null }: { readonly excerpt?: Excerpt | null; readonly hint?: string | null } = {},
  ) {
    super(message);
    this.code = code;
    this.excerpt = excerpt;
    this.hint = hint;
  }
}
