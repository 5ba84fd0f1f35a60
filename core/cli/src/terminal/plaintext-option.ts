import type { Command } from 'commander';
import type { Terminal } from './terminal.ts';

/** Option that {@link addPlaintextOption} reads. */
export interface RawPlaintextOption {
  readonly allowPlaintext?: boolean;
}

/** Adds the option that allows a connection to `what` on another machine without TLS. */
export function addPlaintextOption(command: Command, what = 'a database'): Command {
  return command.option(
    '--allow-plaintext',
    `allow a connection without TLS to ${what} on another machine (as DEADHEAT_ALLOW_PLAINTEXT=1 does)`,
  );
}

/** The terminal for an action whose connections may be as the option says. */
export function withPlaintext({ allowPlaintext }: RawPlaintextOption, terminal: Terminal): Terminal {
  if (allowPlaintext !== true) return terminal;
  const { stdout, stderr, env } = terminal;
  return { stdout, stderr, env: { ...env, DEADHEAT_ALLOW_PLAINTEXT: '1' } };
}
