import type { Params, Side } from './vocabulary.ts';

const plainWord = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Writes a word as it would have to be typed in a shell. */
export function quoteWord(word: string): string {
  return plainWord.test(word) ? word : `'${escapeQuotes(word)}'`;
}

/** Text as it stands between single quotes. */
export function escapeQuotes(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}

/**
 * True where a text fits a pattern, in which `*` stands for any text and everything else for itself. The time grows with the
 * product of both lengths at most, whatever the pattern: somebody else may have written it.
 */
export function matchesStars(pattern: string, text: string): boolean {
  const [before = '', ...between] = pattern.split('*');
  const after = between.pop();
  if (after === undefined) return text === pattern;
  if (!text.startsWith(before) || !text.endsWith(after) || text.length < before.length + after.length) return false;
  let rest = text.slice(before.length, text.length - after.length);
  for (const part of between) {
    // The first place leaves most to the parts that follow.
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}

/**
 * Fewest insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`
 * (optimal string alignment; Damerau 1964).
 */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

/**
 * The candidate that `word` was probably meant to be: at most two edits away and fewer than half its letters wrong.
 * `null` when none is near enough. The first of equally near ones wins.
 */
export function nearestWord(word: string, candidates: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = 3;
  for (const candidate of candidates) {
    // each letter that one has more is an edit
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(word, candidate);
    if (distance < least && distance * 2 < candidate.length) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

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

/** Replaces every `{NAME}` of a known parameter by its value; other braces stay, and values are not looked into. */
export function fillParameters(template: string, params: Params): string {
  return template.replaceAll(/\{([^{}]*)\}/g, (braces, name: string) =>
    Object.hasOwn(params, name) ? (params[name] ?? braces) : braces,
  );
}

/**
 * Fills in the parameters of a text that belongs to a side: `{side}` is A or B, as in DEADHEAT_SIDE, unless it is the name of a parameter.
 */
export function fillSide(template: string, { params, side }: { readonly params: Params; readonly side: Side }): string {
  return fillParameters(template, { side, ...params });
}
