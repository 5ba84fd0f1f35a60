import type { Verdict } from '@deadheat/model';
import { verdictWords } from '@deadheat/report';
import type { Colors } from './colors.ts';

/** The word in its colour. */
export function colorVerdict(verdict: Verdict, colors: Colors): string {
  const paint = { slower: colors.red, faster: colors.green, 'dead-heat': colors.cyan, undecided: colors.yellow };
  return colors.bold(paint[verdict](verdictWords[verdict]));
}
