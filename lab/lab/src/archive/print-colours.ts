/** A rule of a picture's style: selectors and declarations. */
interface Rule {
  readonly selectors: readonly string[];
  readonly body: string;
}

/** A value of a variable for what one class holds. */
interface ClassValue {
  readonly className: string;
  readonly name: string;
  readonly value: string;
}

/**
 * A picture with the light colours written out: what makes PDFs of SVGs, such as librsvg, knows no variables of CSS, and drew nothing where one stands for a
 * colour. A rule that asks for the variable of a class is written once for each class that has it.
 *
 * @param svg a picture with one `style` element, whose variables stand in `:root` or in rules of single classes (`svg .a`)
 */
export function withPrintColours(svg: string): string {
  return svg.replace(/<style>(.*?)<\/style>/s, (_, css: string) => `<style>${printStyle(css)}</style>`);
}

function printStyle(css: string): string {
  const colours = new Map<string, string>();
  const ofClasses: ClassValue[] = [];
  const resolved = (text: string): string =>
    text.replace(/var\(--([\w-]+)\)/g, (all, name) => colours.get(name) ?? all);
  const written: string[] = [];
  for (const { selectors, body } of rulesOf(css)) {
    for (const [, name = '', value = ''] of body.matchAll(/--([\w-]+):\s*([^;]+)/g)) {
      if (selectors[0] === ':root') colours.set(name, value);
      else ofClasses.push(...selectors.map((className) => ({ className, name, value: resolved(value) })));
    }
    const plain = resolved(body.replace(/--[\w-]+:[^;]*;?/g, ''));
    if (plain === '') continue;
    const used = ofClasses.filter(({ name }) => plain.includes(`var(--${name})`));
    if (used.length === 0) written.push(`${selectors.join(',')}{${plain}}`);
    for (const { className, name, value } of used) {
      const holding = selectors.flatMap((selector) => withClass(selector, className));
      written.push(`${holding.join(',')}{${plain.replaceAll(`var(--${name})`, value)}}`);
    }
  }
  return written.join('');
}

/** The rules outside of media queries, which ask for dark screens. */
function rulesOf(css: string): readonly Rule[] {
  const light = css.replace(/@media[^{]*\{(?:[^{}]*\{[^}]*\})*\}/g, '');
  return Array.from(light.matchAll(/([^{}]+)\{([^}]*)\}/g), ([, selectors = '', body = '']) => ({
    selectors: selectors.split(','),
    body,
  }));
}

/** A selector with a class at each of its elements, or at one around them. */
function withClass(selector: string, className: string): readonly string[] {
  const [svg = '', ...elements] = selector.split(' ');
  const own = className.replace(/^svg /, '');
  const around = [svg, own, ...elements].join(' ');
  return [around, ...elements.map((_, at) => [svg, ...elements.with(at, `${elements[at]}${own}`)].join(' '))];
}
