/**
 * Whether a text is what a pattern says, in which `*` stands for any text and everything else for itself. The time grows with the
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
