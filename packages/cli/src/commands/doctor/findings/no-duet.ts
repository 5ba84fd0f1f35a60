import type { DoctorFacts } from '../doctor-facts.ts';
import type { Finding } from '../finding.ts';

/** What keeps this machine from duets, and from tandems but for a lack of CPUs. */
export function noDuet({ obstacle }: DoctorFacts): Finding | null {
  if (obstacle === null) return null;
  const { code, why, advice } = obstacle;
  const hasTandem = code === 'SINGLE_CORE';
  const besides =
    'Programs that compute need none: in a tandem both sides share the one CPU. Those that wait are run one after the other. ';
  return {
    code: 'NO_DUET',
    title: hasTandem ? 'There are no duets here, but tandems' : 'There are neither tandems nor duets here',
    effect: null,
    evidence: why,
    advice: { withoutRoot: `${hasTandem ? besides : ''}${advice}`, asRoot: null },
    applies: null,
  };
}
