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

/** Ignores that who reads the output has gone away: `head`, or a terminal that was closed. */
function ignoreLostReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
