import type { TextStyle } from '@deadheat/report';

/** A style of the text output, as `--style` names it. */
export type StyleChoice = 'auto' | 'basic' | 'full' | 'nocolor' | 'color' | 'none';

/** Style of the text that is written to one stream. */
export interface TerminalStyle extends TextStyle {
  /** True if a line may be redrawn. */
  readonly interactive: boolean;
}

const smallestWidth = 40;

/**
 * The style of a stream. A choice other than `auto` is the user's word and beats the environment; `auto` looks at the
 * terminal, at NO_COLOR (any text: no colour), FORCE_COLOR (any text but 0: colour) and TERM=dumb; NO_COLOR beats
 * FORCE_COLOR.
 */
export function resolveTerminalStyle(
  choice: StyleChoice,
  {
    stream,
    variables,
  }: {
    readonly stream: { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
    readonly variables: Readonly<Record<string, string | undefined>>;
  },
): TerminalStyle {
  const terminal = stream.isTTY === true && variables['TERM'] !== 'dumb';
  const columns = stream.columns === undefined || stream.columns <= 0 ? 80 : stream.columns;
  return {
    color: wantsColor(choice, { terminal, variables }),
    interactive: choice === 'full' || choice === 'nocolor' || (choice === 'auto' && terminal),
    width: stream.isTTY === true ? Math.max(smallestWidth, columns) : null,
    quiet: choice === 'none',
  };
}

function wantsColor(
  choice: StyleChoice,
  {
    terminal,
    variables,
  }: {
    readonly terminal: boolean;
    readonly variables: Readonly<Record<string, string | undefined>>;
  },
): boolean {
  if (choice === 'full' || choice === 'color') return true;
  if (choice === 'basic' || choice === 'nocolor') return false;
  if ((variables['NO_COLOR'] ?? '') !== '') return false;
  const force = variables['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  return terminal;
}
