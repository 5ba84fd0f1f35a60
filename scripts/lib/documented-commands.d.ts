/** A command as a page shows it. */
export interface DocumentedCommand {
  /** From 1. */
  readonly line: number;
  /** A line to be typed as it is, or a mention in a sentence, which may leave arguments out. */
  readonly kind: 'block' | 'span';
  /** Without quotes, from `deadheat` or `npm` on. */
  readonly words: readonly string[];
}

export function commandsOf(text: string): readonly DocumentedCommand[];
export function documentedCommands(root: string): readonly (DocumentedCommand & { readonly page: string })[];
/** The pages that users read, by their paths below the root. */
export function pagesOf(root: string): readonly string[];
