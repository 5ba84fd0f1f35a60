import type { Side } from '@deadheat/model';
import type { ShellChoice } from './compare-request.ts';
import { CommandError } from '../errors/command-error.ts';
import type { Located } from './find-executable.ts';

/** Says why a program cannot be started and what to do. `shell` is `shell` when the program is the shell itself. */
export function commandNotStartable(
  located: Exclude<Located, { kind: 'found' }>,
  {
    side,
    called,
    word,
    suggestion,
    shell,
  }: {
    readonly side: Side;
    /** Name of the command where there are more than two; absent = its side. */
    readonly called?: string;
    readonly word: string;
    readonly suggestion: string | null;
    readonly shell: ShellChoice['kind'];
  },
): CommandError {
  const subject = shell === 'shell' ? `the shell of command ${side}` : `command ${called ?? side}`;
  switch (located.kind) {
    case 'directory':
      return new CommandError('COMMAND_NOT_EXECUTABLE', `${subject}: ${located.path} is a folder, not a program`, {
        side,
        word,
        hint: 'Name the program inside it.',
      });
    case 'not-executable':
      return new CommandError('COMMAND_NOT_EXECUTABLE', `${subject}: ${located.path} may not be executed`, {
        side,
        word,
        hint: `Run chmod +x ${located.path}, or name the interpreter first, such as sh ${word}.`,
      });
    case 'missing':
      return new CommandError(
        shell === 'shell' ? 'SHELL_NOT_FOUND' : 'COMMAND_NOT_FOUND',
        `${subject}: ${word === '' ? 'an empty word' : word} was not found`,
        {
          side,
          word,
          hint: called === undefined || suggestion !== null ? missingHint(word, { suggestion, shell }) : severalHint,
        },
      );
  }
}

/** More than two words are more than two commands, which somebody may not mean who leaves out the quotes. */
const severalHint =
  "A command and its arguments are one word, in quotes: deadheat 'gzip -6 file' 'gzip -7 file'. Every further word is a further command.";

function missingHint(
  word: string,
  { suggestion, shell }: { readonly suggestion: string | null; readonly shell: ShellChoice['kind'] },
): string {
  if (suggestion !== null) return `Did you mean deadheat ${suggestion}?`;
  if (word.includes('/')) return 'There is no such file; a relative path starts at the current folder.';
  const path = `It is in no folder of PATH; for a program in the current folder write ./${word}.`;
  return shell === 'none' ? `${path} Without a shell (-N) there are no built-in commands.` : path;
}
