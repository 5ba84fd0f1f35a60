import { anytimeRatio, anytimeVerdict } from '../../src/anytime/anytime-ratio.ts';

/** A simulated duet that is looked at after every run, or every block of two when cores are traded. */
export interface WatchedDuet {
  readonly confidence: number;
  readonly margin: number;
  /** Most runs. */
  readonly runs: number;
  /** Whether the sides trade cores at every run. */
  readonly conditions: boolean;
  readonly logRatio: () => number;
}

/** The number of runs at the first look that finds B slower or faster; `null` when none does. */
export const firstVerdict = (duet: WatchedDuet): number | null => {
  const { confidence, margin } = duet;
  const logs: number[] = [];
  for (let runs = 1; runs <= duet.runs; runs++) {
    logs.push(duet.logRatio());
    if (runs < 2 || (duet.conditions && runs % 2 === 1)) continue;
    const conditions = duet.conditions ? logs.map((_, run) => run % 2 === 0) : null;
    const verdict = anytimeVerdict(anytimeRatio(logs, { confidence, conditions }), margin);
    if (verdict === 'slower' || verdict === 'faster') return runs;
  }
  return null;
};
