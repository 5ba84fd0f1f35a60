import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { loadCalled } from './load-subcommands.ts';
import { parseArguments } from './parse-arguments.ts';

/** Reads the arguments and does what they ask for; loads no more than that needs. Returns the exit code. */
export async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const loaded = await loadCalled(args);
  const invocation = parseArguments(args, { version, loaded });
  switch (invocation.kind) {
    case 'help':
    case 'version':
      terminal.stdout.write(invocation.text.endsWith('\n') ? invocation.text : `${invocation.text}\n`);
      return 0;
    case 'compare':
    case 'subcommand':
      return invocation.act(terminal);
  }
}
