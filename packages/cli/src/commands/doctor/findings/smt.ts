import type { DoctorFacts } from '../doctor-facts.ts';
import type { Finding } from '../finding.ts';

/** Other threads of the cores, which other programs may use. */
export function smt({ machine: { smtActive, smtSiblings }, cpus: [a, b] }: DoctorFacts): Finding | null {
  if (smtActive !== true || (smtSiblings[a] ?? []).includes(b)) return null;
  return {
    code: 'SMT',
    title: 'Other programs may run on the other threads of the two cores',
    effect: null,
    evidence: `SMT is on; A and B sit on separate cores (CPUs ${a} and ${b}), whose other threads anybody may use`,
    advice: {
      withoutRoot: 'Keep the machine free of other work, and it does no harm; in a tandem it slows both sides alike.',
      asRoot:
        'deadheat doctor --apply smt turns the threads off (see docs/doctor.md before: pinned programs may lose their place).',
    },
    applies: 'smt',
  };
}
