import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { Terminal } from './terminal/terminal.ts';
import { version } from './version.ts';

export type { OutputParser, ParsedIteration, ParserContext } from '@deadheat/readers';

/**
 * The command `deadheat`: everything it does is a function of its arguments and the terminal. Modules are loaded when they are needed, so
 * that the version is shown at once.
 *
 * @returns the exit code; see `exitCodes`
 */
export async function main(args: readonly string[], terminal: Terminal = process): Promise<number> {
  for (const stream of [terminal.stdout, terminal.stderr]) stream.on('error', ignoreLostReader);
  if (terminal === process) surviveLostTerminal();
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    terminal.stdout.write(`deadheat ${version}\n`);
    return 0;
  }
  try {
    const { dispatch } = await import('./program/dispatch.ts');
    return await dispatch(args, terminal);
  } catch (error) {
    const { explainError } = await import('./errors/explain-error.ts');
    const { message, exitCode } = explainError(error, terminal.env);
    terminal.stderr.write(`${message}\n`);
    return exitCode;
  }
}

const standardFiles = [0, 1, 2] as const;

/**
 * Lets this process end with its own exit code when its terminal is gone by then. Node puts the terminals that it began with back
 * into their first state at its end, and aborts when one of them answers EIO (`ResetStdio` in node.cc); a descriptor that
 * leads to something else it leaves alone.
 */
function surviveLostTerminal(): void {
  const terminals = standardFiles.filter((fd) => isatty(fd));
  if (terminals.length === 0) return;
  process.once('exit', () => {
    for (const fd of terminals) {
      if (isatty(fd)) continue;
      closeSync(fd);
      // The lowest free number is the one that was closed.
      openSync('/dev/null', 'r+');
    }
  });
}

/** Ignores that who reads the output has gone away: `head`, or a terminal that was closed. */
function ignoreLostReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
