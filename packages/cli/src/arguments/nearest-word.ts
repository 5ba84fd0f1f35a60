import { editDistance } from './edit-distance.ts';

/**
 * The candidate that `word` was probably meant to be: at most two edits away and fewer than half its letters wrong.
 * `null` when none is near enough. The first of equally near ones wins.
 */
export function nearestWord(word: string, candidates: readonly string[]): string | null {
  let nearest: string | null = null;
  let least = 3;
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate);
    if (distance < least && distance * 2 < candidate.length) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}
