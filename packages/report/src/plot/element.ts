import { escapeHtml } from '../html/escape-html.ts';

/** An element of an SVG as markup: numbers are pixels and rounded to tenths, texts are escaped, the content is markup. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: string = '',
): string {
  let markup = `<${name}`;
  for (const key in attributes) {
    const value = attributes[key] ?? '';
    markup += ` ${key}="${typeof value === 'number' ? tenth(value) : escapeHtml(value)}"`;
  }
  return content === '' ? `${markup}/>` : `${markup}>${content}</${name}>`;
}

/** A path; nothing where it has no data. */
export function path(className: string, data: string): string {
  return data === '' ? '' : `<path class="${className}" d="${data}"/>`;
}

/** A group; nothing where it holds nothing. */
export function group(className: string, content: string): string {
  return content === '' ? '' : `<g class="${className}">${content}</g>`;
}

/** A text at a place. */
export function textAt(x: number, y: number, text: string): string {
  return `<text x="${tenth(x)}" y="${tenth(y)}">${escapeHtml(text)}</text>`;
}

/** Pixels, rounded to tenths. */
export function tenth(pixels: number): string {
  return String(Math.round(pixels * 10) / 10);
}
