import type { Subcommand } from './subcommand.ts';

/** Every subcommand beside `demo` and `analyse`, in the order of the help. */
export const subcommands: readonly Subcommand[] = [];
