import type { Comparison, Ratio } from './report.ts';

/** Estimate and ends of the interval that a comparison's verdict is made from. */
export function decidingInterval({
  ratio,
  sequential,
  decidedBy,
}: Pick<Comparison, 'ratio' | 'sequential' | 'decidedBy'>): Pick<Ratio, 'estimate' | 'low' | 'high' | 'confidence'> {
  return decidedBy === 'sequential' && sequential !== null ? sequential : ratio;
}
