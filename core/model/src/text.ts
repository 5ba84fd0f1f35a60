const steering = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Writes control characters, and characters that change the direction of a text, as `\u{…}`; those of `kept` stay as they are. */
export function escapeControls(text: string, kept = ''): string {
  return text.replaceAll(steering, (character) =>
    kept.includes(character) ? character : `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}

/** The first `most` UTF-16 units of a text, or one less where a surrogate pair would be split. */
export function beginningOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
}

/** Takes the passwords out of every URL of PostgreSQL in a text. */
export function withoutPasswords(text: string): string {
  return text
    .replaceAll(/(postgres(?:ql)?:\/\/)([^\s:/?#@]*):[^\s/?#]*@/gi, '$1$2@')
    .replaceAll(/([?&](?:password|sslpassword)=)[^\s&#]*/gi, '$1');
}
