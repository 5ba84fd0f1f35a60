import type { DoctorFacts } from '../doctor-facts.ts';
import type { Finding } from '../finding.ts';

/** Less is also brought about by the programs' own start: layout, compilation. */
const noteworthy = 0.005;

/** Cores that do the same work in more CPU time at one moment than at another. */
export function coreSpeed({ machine: { virtualization, governor }, disturbances }: DoctorFacts): Finding | null {
  const speed = disturbances?.speed ?? null;
  if (speed === null || speed.spread < noteworthy) return null;
  const hidden =
    virtualization === null
      ? ''
      : ` Here (${virtualization}) it may also be time that the hypervisor took without telling; what the host's cores do besides is hidden.`;
  return {
    code: 'CORE_SPEED',
    title: 'The cores themselves are now faster, now slower',
    effect: {
      kind: 'spread',
      share: speed.spread,
      how: `CPU time of the same work, alone on its core, in ${speed.runs} runs`,
    },
    evidence:
      'the same work took now more, now less CPU time, in which no other program of this machine had the core: its clock, its other ' +
      `thread, shared caches, or in a small part the program's own luck with layout and compilation.${hidden}`,
    advice: {
      withoutRoot:
        'Compare in a tandem (the default for programs that compute): both sides meet it together on one core, slice by slice; see the ' +
        'pairing gain above. In a duet they meet it only as far as both cores change at once, and --metric cpu alone does not help. ' +
        'For programs that wait: dedicated cores, or bare metal.',
      asRoot: governor === null ? null : 'deadheat doctor --apply (governor, turbo).',
    },
    applies: governor === null ? null : 'governor,turbo',
  };
}
