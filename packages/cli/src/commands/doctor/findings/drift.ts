import type { DoctorFacts } from '../doctor-facts.ts';
import { effectOfCount } from '../effects.ts';
import type { Finding } from '../finding.ts';

/** Times that rise or fall with the time of day. */
export function drift({ disturbances }: DoctorFacts): Finding | null {
  const effect = effectOfCount(disturbances, { name: 'time', sign: 'either' });
  if (effect === null) return null;
  const explained = disturbances?.counts.find(({ name }) => name === 'time')?.explained;
  const way = (explained?.correlation ?? 0) > 0 ? 'longer' : 'shorter';
  return {
    code: 'DRIFT',
    title: 'The machine changes while it is measured',
    effect,
    evidence: `runs became ${way} from the first to the last of this measurement: heat, used-up burst credits, other work`,
    advice: {
      withoutRoot:
        'Never measure all of A and then all of B: tandems, duets and the interleaved runs of --method sequential meet a drift on both ' +
        'sides. On machines with burst credits take one without.',
      asRoot: null,
    },
    applies: null,
  };
}
