import type { DoctorFacts } from '../doctor-facts.ts';
import { effectOfCount, leastShare, meanOf, percentOf } from '../effects.ts';
import type { Finding } from '../finding.ts';

/** Time that the hypervisor takes. */
export function steal({ disturbances }: DoctorFacts): Finding | null {
  const stolen = meanOf(disturbances, 'steal');
  const effect = effectOfCount(disturbances, { name: 'steal', sign: 'longer' });
  if (effect === null && stolen < leastShare) return null;
  return {
    code: 'STEAL',
    title: 'The hypervisor takes the cores away for other machines',
    effect,
    evidence: `${percentOf(stolen)} of the cores' time was stolen during the runs (told in steps of 10 ms)`,
    advice: {
      withoutRoot:
        'Take a machine with dedicated cores, or another time of day. Else compare programs that compute in a tandem (--method ' +
        'tandem, the default for them), whose sides lose the one core by turns. For programs that wait ask for more runs; a duet ' +
        'helps as far as both cores are taken at once.',
      asRoot: null,
    },
    applies: null,
  };
}
