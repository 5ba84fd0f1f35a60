import type { Verdict } from '@deadheat/model';

/** The verdict as it stands at the end of its line; the word carries the meaning, a colour only repeats it. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  slower: 'SLOWER',
  faster: 'FASTER',
  'dead-heat': 'DEAD HEAT',
  undecided: 'UNDECIDED',
};
