import type { DoctorFacts } from '../doctor-facts.ts';
import type { Finding } from '../finding.ts';

/** What keeps this machine from duets. */
export function noDuet({ obstacle }: DoctorFacts): Finding | null {
  if (obstacle === null) return null;
  return {
    code: 'NO_DUET',
    title: 'There are no duets here',
    effect: null,
    evidence: obstacle.why,
    advice: { withoutRoot: obstacle.advice, asRoot: null },
    applies: null,
  };
}
