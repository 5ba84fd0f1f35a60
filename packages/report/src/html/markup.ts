import { escapeHtml } from './escape-html.ts';

/** Text that is HTML already. Made by {@link html}, which escapes what it is given, or from what this package draws. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a template may hold: text is escaped, markup stands as it is, `null` is nothing. */
export type Held = string | number | Markup | null | readonly Held[];

/** HTML from a template; every text in it is escaped. */
export function html(strings: TemplateStringsArray, ...held: readonly Held[]): Markup {
  const fixed = withoutIndent(strings);
  let text = fixed[0] ?? '';
  for (const [index, value] of held.entries()) text += textOf(value) + (fixed[index + 1] ?? '');
  return new Markup(text);
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>();

/** What a template says itself, without the indent that it has in the source; a table has it thousands of times. */
function withoutIndent(strings: TemplateStringsArray): readonly string[] {
  const before = known.get(strings);
  if (before !== undefined) return before;
  const fixed = strings.map((text) => text.replaceAll(/\s*\n\s*/g, '\n'));
  known.set(strings, fixed);
  return fixed;
}

function textOf(held: Held): string {
  if (held === null) return '';
  if (held instanceof Markup) return held.text;
  if (typeof held === 'string') return escapeHtml(held);
  if (typeof held === 'number') return String(held);
  return held.map((value) => textOf(value)).join('');
}
