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

/**
 * A JSON value as an object; `what` names it in the error.
 *
 * @throws TypeError for anything else
 */
export function jsonRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new TypeError(`${what} is no object`);
}
