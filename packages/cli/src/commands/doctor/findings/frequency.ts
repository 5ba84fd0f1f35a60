import type { DoctorFacts } from '../doctor-facts.ts';
import { effectOfCount } from '../effects.ts';
import type { Finding } from '../finding.ts';

/** A clock of the cores that follows load and heat. */
export function frequency({ machine: { governor, turbo }, disturbances }: DoctorFacts): Finding | null {
  const effect = effectOfCount(disturbances, { name: 'frequency', sign: 'shorter' });
  const isFollowing = governor !== null && governor !== 'performance';
  if (effect === null && !isFollowing && turbo !== true) return null;
  const told = disturbances?.counts.find(({ name }) => name === 'frequency');
  const seen = [
    ...(governor === null ? [] : [`the governor is ${governor}`]),
    ...(turbo === null ? [] : [`turbo is ${turbo ? 'on' : 'off'}`]),
    ...(told === undefined ? [] : [`after the runs the cores stood at ${(Math.exp(told.mean) / 1e9).toFixed(2)} GHz`]),
  ];
  return {
    code: 'FREQUENCY',
    title: 'The clock of the cores is not fixed',
    effect,
    evidence: seen.join(', '),
    advice: {
      withoutRoot:
        "Choose the power profile 'performance' and plug in the charger. The sides of a tandem share one clock; in a duet leave " +
        '--swap at pair, so that both sides get both cores, and let runs be long.',
      asRoot:
        'deadheat doctor --apply sets the governor performance and turns turbo off; --restore puts both back. By hand: ' +
        'cpupower frequency-set -g performance.',
    },
    applies: 'governor,turbo',
  };
}
