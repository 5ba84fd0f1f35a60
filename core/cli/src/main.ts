import { guarded } from './terminal/guarded.ts';
import type { Terminal } from './terminal/terminal.ts';
import { version } from './version.ts';

/**
 * The command `deadheat`: everything it does is a function of its arguments and the terminal. Modules are loaded when they are needed, so
 * that the version is shown at once.
 *
 * @returns the exit code; see `exitCodes`
 */
export async function main(args: readonly string[], terminal: Terminal = process): Promise<number> {
  const output = watchOutput(terminal);
  return output.whole(await perform(args, guarded(terminal)));
}

async function perform(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    terminal.stdout.write(`deadheat ${version}\n`);
    return 0;
  }
  try {
    const { dispatch } = await import('./program/parse-arguments.ts');
    return await dispatch(args, terminal);
  } catch (error) {
    const { explainError } = await import('./errors/explain-error.ts');
    const { message, exitCode } = explainError(error, terminal.env);
    terminal.stderr.write(`${message}\n`);
    return exitCode;
  }
}

/** Exit code of what was done but could not be shown; `exitCodes.workload`, which is loaded late. */
const notShown = 4;

/**
 * Follows what becomes of the output. A reader that goes away, `head` or a terminal that was closed, ends the output and nothing else; when writing
 * fails for another reason, such as a full disk, the work is still finished, and `whole` says so and replaces the exit code 0.
 */
function watchOutput({ stdout, stderr }: Terminal): { readonly whole: (exitCode: number) => Promise<number> } {
  const failed = new Map<string, Error>();
  const streams = { 'standard output': stdout, 'standard error': stderr };
  for (const [name, stream] of Object.entries(streams)) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      const isLost = error.code === 'EPIPE' || (error.code === 'EIO' && stream.isTTY);
      if (!isLost && !failed.has(name)) failed.set(name, error);
    });
  }
  return {
    whole: async (exitCode) => {
      // Errors of files are told in the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (failed.size === 0) return exitCode;
      for (const [name, { message }] of failed) {
        if (name === 'standard output') stderr.write(`deadheat: ${name} cannot be written: ${message}\n`);
      }
      return exitCode === 0 ? notShown : exitCode;
    },
  };
}
