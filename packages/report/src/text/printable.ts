/**
 * A text from outside on one line that cannot steer a terminal: runs of blanks and line breaks become one space,
 * other control characters and direction overrides become `\u{…}`.
 */
export function printable(text: string): string {
  return text
    .trim()
    .replaceAll(/[\t\n\v\f\r ]+/g, ' ')
    .replaceAll(
      /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
      (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
    );
}
