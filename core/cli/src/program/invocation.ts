import type { TypedCommand } from '../command/to-commander.ts';

/** Action that the arguments ask for. */
export type Invocation =
  | { readonly kind: 'compare'; readonly act: TypedCommand['act']; readonly request: object }
  | { readonly kind: 'subcommand'; readonly name: string; readonly act: TypedCommand['act']; readonly request: object }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version'; readonly text: string };
