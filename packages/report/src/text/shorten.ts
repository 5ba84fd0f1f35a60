/** A text of at most `most` UTF-16 units: of a longer one the beginning, no character of it cut in two, and `…`. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
