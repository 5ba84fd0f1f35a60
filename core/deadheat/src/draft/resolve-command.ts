import type { Command, Side } from '@deadheat/model';
import type { ShellChoice } from './compare-request.ts';
import { createExcerpt } from '../errors/excerpt.ts';
import { UsageError } from '../errors/usage-error.ts';
import { commandNotStartable } from './command-not-startable.ts';
import type { Located } from './find-executable.ts';
import { shellOnlyWords, shellOrProgramWords } from './shell-words.ts';
import { splitWords } from './split-words.ts';

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
