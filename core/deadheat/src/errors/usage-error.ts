import { DeadheatError } from '@deadheat/model';
import type { Excerpt } from './excerpt.ts';

/** Code of a mistake in the command line. */
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
export class UsageError extends DeadheatError<UsageErrorCode> {
  override readonly name = 'UsageError';
  /** Typed text with the wrong place; `null` when there is no such place. */
  readonly excerpt: Excerpt | null;

  constructor(
    code: UsageErrorCode,
    message: string,
    { excerpt = null, hint = null }: { readonly excerpt?: Excerpt | null; readonly hint?: string | null } = {},
  ) {
    super(code, message, { hint });
    this.excerpt = excerpt;
  }
}
