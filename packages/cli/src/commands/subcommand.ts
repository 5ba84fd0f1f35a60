import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

/** What a subcommand does once its arguments are read; gives the exit code. */
export type Act = (terminal: Terminal) => Promise<number>;

/** What a subcommand is built from. */
export interface SubcommandContext {
  /** A command that writes and fails as all of this tool's commands do. */
  readonly create: (name: string) => Command;
  /** To be called by the action of what was typed. */
  readonly choose: (act: Act) => void;
}

/** Builds a subcommand of `deadheat`; subcommands below it are built with `create` as well. */
export type Subcommand = (context: SubcommandContext) => Command;
