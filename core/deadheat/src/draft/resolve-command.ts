import type { Command, Side } from '@deadheat/model';
import { CommandError } from '../errors/command-error.ts';
import { createExcerpt } from '../errors/excerpt.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { Located } from './find-executable.ts';
import { splitWords } from './split-words.ts';

/** First words that only a shell can carry out: POSIX special built-ins, those that act on the shell, reserved words. */
const shellOnlyWords: ReadonlySet<string> = new Set(
  (
    '. : break continue eval exec exit export readonly return set shift times trap unset ' +
    'alias bg cd command fc fg getopts hash jobs local read source type ulimit umask unalias wait ' +
    '! { } [[ case do done elif else esac fi for function if in select then until while'
  ).split(' '),
);

/** Built-ins that are programs on most machines too; the shell is asked where they are not. */
const shellOrProgramWords: ReadonlySet<string> = new Set([
  '[',
  'echo',
  'false',
  'kill',
  'printf',
  'pwd',
  'test',
  'true',
]);

/**
 * Shell between the tool and a command. `automatic`: nothing, or `/bin/sh -c` for a command with shell syntax.
 * `shell`: this command line followed by `-c`.
 */
export type ShellChoice =
  { readonly kind: 'automatic' } | { readonly kind: 'none' } | { readonly kind: 'shell'; readonly commandLine: string };

/** Options of resolving a command line to a program with arguments. */
export interface ResolveOptions {
  readonly side: Side;
  /** Name of the command in messages where there are more than two; absent = the side. */
  readonly called?: string;
  readonly shell: ShellChoice;
  /** Finds a program; see `findExecutable`. */
  readonly which: (word: string) => Located;
  /** Name in reports; `null` = the command line. */
  readonly name: string | null;
  /** Suggests the probable meaning of a word, such as a subcommand; called when the command is that one word. */
  readonly suggest: (word: string) => string | null;
}

/**
 * The command that is executed for a command line: the program itself, or a shell where the command needs one or the user wants
 * one. Throws `CommandError` for a program that is not there, {@link UsageError} for an empty or unbalanced command.
 */
export function resolveCommand(commandLine: string, options: ResolveOptions): Command {
  const { shell, side, which } = options;
  const common = { name: options.name ?? commandLine, commandLine };
  if (commandLine.trim() === '') throw new UsageError('MISSING_COMMAND', `command ${options.called ?? side} is empty`);
  if (shell.kind === 'shell') {
    const argv = [...resolveShell(shell.commandLine, options), '-c', commandLine];
    return { ...common, argv, executedBy: 'shell' };
  }
  const { words, plain } = splitWords(commandLine);
  const [program = '', ...rest] = words;
  const throughShell: Command = { ...common, argv: ['/bin/sh', '-c', commandLine], executedBy: 'shell' };
  if (shell.kind === 'automatic' && (!plain || shellOnlyWords.has(program))) return throughShell;
  const located = program === '' ? ({ kind: 'missing' } as const) : which(program);
  if (located.kind === 'found') return { ...common, argv: [located.path, ...rest], executedBy: 'direct' };
  if (shell.kind === 'automatic' && shellOrProgramWords.has(program)) return throughShell;
  const suggestion = words.length === 1 ? options.suggest(program) : null;
  throw commandNotStartable(located, {
    side,
    ...(options.called === undefined ? {} : { called: options.called }),
    word: program,
    suggestion,
    shell: shell.kind,
  });
}

function resolveShell(commandLine: string, { side, which }: ResolveOptions): readonly string[] {
  const { words, plain } = splitWords(commandLine);
  const [program, ...rest] = words;
  if (program === undefined || !plain) {
    throw new UsageError('BAD_VALUE', `--shell must be a program with plain arguments, not '${commandLine}'`, {
      excerpt: createExcerpt(['--shell', commandLine], { at: 1 }),
    });
  }
  const located = which(program);
  if (located.kind === 'found') return [located.path, ...rest];
  throw commandNotStartable(located, { side, word: program, suggestion: null, shell: 'shell' });
}

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
