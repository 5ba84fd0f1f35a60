import type { Act } from '../commands/subcommand.ts';

/** Action that the arguments ask for. */
export type Invocation =
  | { readonly kind: 'compare'; readonly act: Act; readonly request: object }
  | { readonly kind: 'subcommand'; readonly name: string; readonly act: Act; readonly request: object }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version'; readonly text: string };
