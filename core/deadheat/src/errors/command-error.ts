import { DeadheatError, type Side } from '@deadheat/model';

export type CommandErrorCode = 'COMMAND_NOT_FOUND' | 'COMMAND_NOT_EXECUTABLE' | 'SHELL_NOT_FOUND';

/** A command that cannot be started on this machine; exit code 4. */
export class CommandError extends DeadheatError<CommandErrorCode> {
  override readonly name = 'CommandError';
  readonly side: Side;
  /** The word that names the program. */
  readonly word: string;

  constructor(
    code: CommandErrorCode,
    message: string,
    details: { readonly side: Side; readonly word: string; readonly hint: string },
  ) {
    super(code, message, { hint: details.hint });
    this.side = details.side;
    this.word = details.word;
  }
}
