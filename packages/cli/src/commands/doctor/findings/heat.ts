import type { DoctorFacts } from '../doctor-facts.ts';
import { effectOfCount, meanOf } from '../effects.ts';
import type { Finding } from '../finding.ts';

/** Cores that are slowed because they are too hot. */
export function heat({ disturbances }: DoctorFacts): Finding | null {
  const throttles = meanOf(disturbances, 'heat');
  if (throttles === 0) return null;
  return {
    code: 'HEAT',
    title: 'The cores get too hot and are slowed',
    effect: effectOfCount(disturbances, { name: 'heat', sign: 'longer' }),
    evidence: `slowed ${throttles.toFixed(1)} times a run, on the average`,
    advice: {
      withoutRoot:
        'Cool the machine, free its fan, and measure in shorter stretches; a tandem meets it on both sides, a duet most of it.',
      asRoot: 'Turn turbo off, so that the cores stay below the limit: deadheat doctor --apply.',
    },
    applies: 'governor,turbo',
  };
}
