/** A line of a text, without its end. */
export interface TextLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** The lines of a text, with LF or CRLF at their ends. */
export function* textLines(text: string): Generator<TextLine> {
  let number = 0;
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed;
    number += 1;
    yield { number, text: text.slice(start, text[end - 1] === '\r' ? end - 1 : end) };
    start = end + 1;
  }
}
