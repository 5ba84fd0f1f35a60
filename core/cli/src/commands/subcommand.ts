import type { Command } from 'commander';
import type { CommandEntry } from '../command/define-command.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What a subcommand does once its arguments are read; gives the exit code. */
export type Act = (terminal: Terminal) => Promise<number>;

/** What a subcommand is built from. */
export interface SubcommandContext {
  /** A command that writes and fails as all of this tool's commands do. */
  readonly create: (name: string) => Command;
  /** To be called by the action of what was typed; `request` is what the action has read, for whoever asks what that is. */
  readonly choose: (act: Act, request?: object) => void;
}

/** The module of a subcommand: builds its command line; subcommands below it are built with `create` as well. */
export interface SubcommandModule {
  readonly buildSubcommand: (context: SubcommandContext) => Command;
}

/** A subcommand as the registry lists it; one that is not a value yet has a module. */
export interface Subcommand extends Omit<CommandEntry, 'load'> {
  readonly load: () => Promise<SubcommandModule | Awaited<ReturnType<CommandEntry['load']>>>;
}
