const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for the content of an element or for a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Text that is already HTML: made by {@link html}, which escapes its values, or from pictures of this package. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: text is escaped, markup is inserted as it is, and `null` is empty. */
export type Held = string | number | Markup | null | readonly Held[];

/** HTML from a template; every text in it is escaped. */
export function html(strings: TemplateStringsArray, ...held: readonly Held[]): Markup {
  const fixed = withoutIndent(strings);
  let text = fixed[0] ?? '';
  for (const [index, value] of held.entries()) text += textOf(value) + (fixed[index + 1] ?? '');
  return new Markup(text);
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>();

/**
 * The fixed parts of a template without the indentation of the source code, which a table would repeat thousands of
 * times.
 */
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
