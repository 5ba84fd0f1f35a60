import type { Verdict } from '@deadheat/model';
import type { Colors } from './colors.ts';

/** The verdict as it stands at the end of its line; the word carries the meaning, the colour only repeats it. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  slower: 'SLOWER',
  faster: 'FASTER',
  'dead-heat': 'DEAD HEAT',
  undecided: 'UNDECIDED',
};

/** The word in its colour. */
export function colorVerdict(verdict: Verdict, colors: Colors): string {
  const paint = { slower: colors.red, faster: colors.green, 'dead-heat': colors.cyan, undecided: colors.yellow };
  return colors.bold(paint[verdict](verdictWords[verdict]));
}
