import { probeFile } from '../arguments/probe-file.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { loadCalled } from './load-subcommands.ts';
import { parseArguments } from './parse-arguments.ts';
import { suggestSubcommand } from './suggest-subcommand.ts';

/** Reads the arguments and does what they ask for; loads no more than that needs. Returns the exit code. */
export async function dispatch(args: readonly string[], terminal: Terminal): Promise<number> {
  const loaded = await loadCalled(args);
  const invocation = parseArguments(args, { version, probeFile, loaded });
  switch (invocation.kind) {
    case 'help':
    case 'version':
      terminal.stdout.write(invocation.text.endsWith('\n') ? invocation.text : `${invocation.text}\n`);
      return 0;
    case 'compare': {
      const { compare } = await import('../commands/compare.ts');
      return compare(invocation, { terminal, suggest: suggestSubcommand });
    }
    case 'resume': {
      const [{ resumeSession }, { runWithProgress }] = await Promise.all([
        import('deadheat/internals'),
        import('../experiment/run-with-progress.ts'),
      ]);
      return runWithProgress((control) => resumeSession(invocation.recording, { ...control, leaves: false }), {
        choices: invocation,
        terminal,
      });
    }
    case 'subcommand':
      return invocation.act(terminal);
  }
}
