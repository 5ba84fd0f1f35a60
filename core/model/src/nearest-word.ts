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
