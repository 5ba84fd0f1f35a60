import { escapeHtml } from '../html/escape-html.ts';

/** Decimals of a pixel that a picture keeps. */
const decimals = 1;

/** Attributes that Plot writes and that a picture does not need: its text looks as that of the page, and labels are for the whole. */
const superfluous = new Set(['aria-label', 'aria-description', 'font-variant', 'font-family', 'font-size']);

/** Attributes whose numbers are no pixels. */
const isText = /^(?:data|aria)-/;

/**
 * As much of a DOM as drawing an SVG needs: elements that are created, filled and written out. A picture has thousands of them,
 * and a whole DOM costs several times what the plot itself does.
 */
export class LightElement {
  readonly ownerDocument: LightDocument;
  readonly namespaceURI = 'http://www.w3.org/2000/svg';
  readonly tagName: string;
  readonly children: (LightElement | string)[] = [];
  readonly #attributes = new Map<string, string>();
  /** Drawn here, in tenths of a pixel already, and long. */
  #path = '';

  constructor(ownerDocument: LightDocument, tagName: string) {
    this.ownerDocument = ownerDocument;
    this.tagName = tagName;
  }

  /** Sets the data of a path, which is written out as it is. */
  setPath(data: string): void {
    this.#path = data;
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value));
  }

  setAttributeNS(_namespace: string | null, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  appendChild<Child extends LightElement | string>(child: Child): Child {
    this.children.push(child);
    return child;
  }

  append(...children: (LightElement | string)[]): void {
    this.children.push(...children);
  }

  insertBefore<Child extends LightElement | string>(child: Child, before: LightElement | null): Child {
    const place = before === null ? -1 : this.children.indexOf(before);
    this.children.splice(place === -1 ? this.children.length : place, 0, child);
    return child;
  }

  querySelector(): null {
    return null;
  }

  querySelectorAll(): readonly never[] {
    return [];
  }

  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('');
  }

  set textContent(text: string | number) {
    this.children.splice(0, Infinity, String(text));
  }

  /** The element as markup, numbers of attributes rounded to tenths of a pixel. */
  toMarkup(): string {
    if (this.tagName === 'style') return '';
    let attributes = '';
    for (const [name, value] of this.#attributes) {
      if (superfluous.has(name) && !(this.tagName === 'svg' && name === 'aria-label')) continue;
      attributes += ` ${name}="${escapeHtml(isText.test(name) ? value : rounded(value))}"`;
    }
    if (this.#path !== '') attributes += ` d="${this.#path}"`;
    const content = this.children
      .map((child) => (typeof child === 'string' ? escapeHtml(child) : child.toMarkup()))
      .join('');
    if (content === '' && this.tagName === 'g') return '';
    return content === ''
      ? `<${this.tagName}${attributes}/>`
      : `<${this.tagName}${attributes}>${content}</${this.tagName}>`;
  }
}

function rounded(value: string): string {
  return value.replaceAll(/-?\d+\.\d+(?:e-?\d+)?/g, (digits) => `${Number(Number(digits).toFixed(decimals))}`);
}

/** What {@link LightElement}s are made by. */
export class LightDocument {
  readonly documentElement: LightElement = new LightElement(this, 'html');

  createElementNS(_namespace: string, tagName: string): LightElement {
    return new LightElement(this, tagName);
  }

  createElement(tagName: string): LightElement {
    return new LightElement(this, tagName);
  }

  createTextNode(text: string): string {
    return text;
  }
}
