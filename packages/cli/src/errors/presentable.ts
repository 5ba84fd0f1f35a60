const steering = /[^\P{Cc}\n\t]|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Writes control characters other than line breaks and tabs, and characters that change the direction of a text, as `\\u{…}`. */
export function withoutControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(steering, (character) => {
    return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
  });
}

/** Longest line of a message in characters; no line of this command's own is as long. */
const longestLine = 1000;
/** Longest message in characters. */
const longestMessage = 10_000;

/** A message as it may be shown: without control characters, and cut where what it quotes is long. */
export function presentable(message: string): string {
  const lines = withoutControls(message).split('\n').map(cutTo(longestLine));
  return cutTo(longestMessage)(lines.join('\n'));
}

function cutTo(most: number): (text: string) => string {
  return (text) =>
    text.length <= most
      ? text
      : `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}… (${text.length - most} more characters)`;
}
