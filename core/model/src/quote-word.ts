const plainWord = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Writes a word as it would have to be typed in a shell. */
export function quoteWord(word: string): string {
  return plainWord.test(word) ? word : `'${escapeQuotes(word)}'`;
}

/** Text as it stands between single quotes. */
export function escapeQuotes(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}
