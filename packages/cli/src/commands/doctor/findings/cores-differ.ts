import type { DoctorFacts } from '../doctor-facts.ts';
import { percentOf } from '../effects.ts';
import type { Finding } from '../finding.ts';

const noteworthy = 0.002;

/** Two cores of different speed. */
export function coresDiffer({ cpus: [a, b], disturbances }: DoctorFacts): Finding | null {
  const [worst] = (disturbances?.places ?? [])
    .filter(({ ratio, low, high }) => (low > 1 || high < 1) && Math.abs(ratio - 1) >= noteworthy)
    .toSorted((left, right) => Math.abs(right.ratio - 1) - Math.abs(left.ratio - 1));
  if (worst === undefined) return null;
  const { benchmark, ratio } = worst;
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  const [slower, faster] = ratio > 1 ? [high, low] : [low, high];
  const share = Math.max(ratio, 1 / ratio) - 1;
  return {
    code: 'CORES_DIFFER',
    title: 'The two cores are not equally fast',
    effect: {
      kind: 'shift',
      share,
      how: `${benchmark} takes ${percentOf(share)} longer on CPU ${slower} than on CPU ${faster} in duets`,
    },
    evidence: 'interrupts, other work on one of them, or cores of two kinds',
    advice: {
      withoutRoot:
        'A tandem has one core for both sides. In a duet leave --swap at pair: the sides trade cores, and it cancels. Or choose two equal ones with --cpus.',
      asRoot: 'Send interrupts elsewhere (/proc/irq/*/smp_affinity, irqaffinity=).',
    },
    applies: null,
  };
}
