import { beginningOf, escapeControls } from '@deadheat/model/text';

/** Writes control characters other than line breaks and tabs, and characters that change the direction of a text, as `\\u{…}`. */
export function withoutControls(text: string): string {
  return escapeControls(text.replaceAll('\r\n', '\n'), '\n\t');
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
  return (text) => (text.length <= most ? text : `${beginningOf(text, most)}… (${text.length - most} more characters)`);
}
