import { parseArguments } from './arguments/parse-arguments.ts';
import type { Invocation } from './arguments/invocation.ts';
import { probeFile } from './arguments/probe-file.ts';
import { explainError } from './errors/explain-error.ts';
import { analyse } from './commands/analyse.ts';
import { compare } from './commands/compare.ts';
import { demo } from './commands/demo.ts';
import { resume } from './experiment/resume.ts';
import type { Terminal } from './terminal/terminal.ts';
import { version } from './version.ts';

export type { OutputParser, ParsedIteration, ParserContext } from '@deadheat/readers';

/**
 * The command `deadheat`: everything it does is a function of its arguments and the terminal.
 *
 * @returns the exit code; see `exitCodes`
 */
export async function main(args: readonly string[], terminal: Terminal = process): Promise<number> {
  // A reader that goes away, such as `head`, ends the output and nothing else.
  for (const stream of [terminal.stdout, terminal.stderr]) stream.on('error', ignoreClosedPipe);
  try {
    return await act(parseArguments(args, { version, probeFile }), terminal);
  } catch (error) {
    const { message, exitCode } = explainError(error, terminal.env);
    terminal.stderr.write(`${message}\n`);
    return exitCode;
  }
}

async function act(invocation: Invocation, terminal: Terminal): Promise<number> {
  switch (invocation.kind) {
    case 'help':
    case 'version':
      terminal.stdout.write(invocation.text.endsWith('\n') ? invocation.text : `${invocation.text}\n`);
      return 0;
    case 'compare':
      return compare(invocation, terminal);
    case 'resume':
      return resume(invocation, terminal);
    case 'demo':
      return demo(invocation, terminal);
    case 'analyse':
      return analyse(invocation, terminal);
    case 'subcommand':
      return invocation.act(terminal);
  }
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
