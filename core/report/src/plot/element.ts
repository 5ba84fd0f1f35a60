import { escapeHtml } from '../markup.ts';

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

/** Places in tenths of a pixel, which is all that a picture keeps. */
function tenths(pixels: number): number {
  return Math.round(pixels * 10);
}

/** Tenths as short as a path may write them: 12 is `1.2`, -5 is `-.5`. */
function short(value: number): string {
  const sign = value < 0 ? '-' : '';
  const size = Math.abs(value);
  const whole = Math.trunc(size / 10);
  const tenth = size % 10;
  if (tenth === 0) return `${sign}${whole}`;
  return whole === 0 ? `${sign}.${tenth}` : `${sign}${whole}.${tenth}`;
}

function pairOf(x: number, y: number): string {
  return `${short(x)}${y < 0 ? '' : ','}${short(y)}`;
}

/** A dot at every place, drawn by the round ends of lines without length. */
export function dotsPath(xs: ArrayLike<number>, ys: ArrayLike<number>): string {
  let path = '';
  let [lastX, lastY] = [0, 0];
  for (let i = 0; i < xs.length; i++) {
    const [x, y] = [tenths(xs[i] ?? 0), tenths(ys[i] ?? 0)];
    path += `${i === 0 ? 'M' : 'm'}${pairOf(x - lastX, y - lastY)}h0`;
    [lastX, lastY] = [x, y];
  }
  return path;
}

/** A line through places in order; `closed` ends it where it began. */
export function linePath(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  { closed = false }: { readonly closed?: boolean } = {},
): string {
  let path = '';
  let [lastX, lastY] = [0, 0];
  for (let i = 0; i < xs.length; i++) {
    const [x, y] = [tenths(xs[i] ?? 0), tenths(ys[i] ?? 0)];
    path += `${i === 0 ? 'M' : 'l'}${pairOf(x - lastX, y - lastY)}`;
    [lastX, lastY] = [x, y];
  }
  return closed && path !== '' ? `${path}z` : path;
}

/** A vertical line at every x, from one y to another. */
export function barsPath(xs: ArrayLike<number>, from: ArrayLike<number>, to: ArrayLike<number>): string {
  let path = '';
  let [lastX, lastY] = [0, 0];
  for (let i = 0; i < xs.length; i++) {
    const [x, y, end] = [tenths(xs[i] ?? 0), tenths(from[i] ?? 0), tenths(to[i] ?? 0)];
    path += `${i === 0 ? 'M' : 'm'}${pairOf(x - lastX, y - lastY)}v${short(end - y)}`;
    [lastX, lastY] = [x, end];
  }
  return path;
}

/** Horizontal lines. */
export function levelsPath(
  levels: readonly { readonly from: number; readonly to: number; readonly y: number }[],
): string {
  return levels
    .map(({ from, to, y }) => `M${pairOf(tenths(from), tenths(y))}h${short(tenths(to) - tenths(from))}`)
    .join('');
}
