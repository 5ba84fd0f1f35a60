import type { DoctorFacts } from '../doctor-facts.ts';
import { isSignificant, leastShare, percentOf } from '../effects.ts';
import type { Finding } from '../finding.ts';

/** A layout of memory that every process draws anew. */
export function memoryLayout({ machine: { aslr }, disturbances }: DoctorFacts): Finding | null {
  if (aslr === null || aslr === 0) return null;
  const avoided = disturbances?.avoided ?? null;
  const hasEffect = avoided !== null && isSignificant(avoided.p) && avoided.share >= leastShare;
  return {
    code: 'MEMORY_LAYOUT',
    title: 'Every process gets another layout of its memory (ASLR)',
    effect: hasEffect
      ? {
          kind: 'spread',
          share: avoided.share,
          how: `processes spread by ${percentOf(avoided.spread)}, with a fixed layout (setarch -R) by ${percentOf(avoided.without)}`,
        }
      : null,
    evidence:
      avoided === null
        ? `kernel.randomize_va_space is ${aslr}; what it costs was not measured here`
        : hasEffect
          ? `kernel.randomize_va_space is ${aslr}`
          : `kernel.randomize_va_space is ${aslr}; processes spread by ${percentOf(avoided.spread)} with it and by ` +
            `${percentOf(avoided.without)} with a fixed layout, which may be chance`,
    advice: {
      withoutRoot:
        'Leave it on and do more runs, which average over layouts. A fixed layout (setarch -R) shows the luck of one: the next build ' +
        'has another.',
      asRoot: null,
    },
    applies: null,
  };
}
