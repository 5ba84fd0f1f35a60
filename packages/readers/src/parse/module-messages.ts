import type { ParserContext } from './output-parser.ts';

/** What the thread of a user's parser is given. */
export interface ModuleRequest {
  /** URL of the module. */
  readonly url: string;
  readonly text: string;
  readonly context: ParserContext;
}

/** What it answers, once. */
export type ModuleReply =
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'not-loaded' | 'failed' | 'not-data'; readonly message: string };
