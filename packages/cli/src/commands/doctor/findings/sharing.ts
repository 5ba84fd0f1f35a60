import { workloadNames } from '@deadheat/workloads';
import type { DoctorFacts } from '../doctor-facts.ts';
import { percentOf } from '../effects.ts';
import type { Effect, Finding } from '../finding.ts';
import { isPure } from '../pure-workloads.ts';

/** A copy that slows by less is the clock of a busy second core. */
const noteworthy = 1.05;

/** What a copy beside it costs a program that needs the core alone. */
export function sharedCore({ machine, cpus: [a, b], disturbances }: DoctorFacts): Finding | null {
  const siblings = (machine.smtSiblings[a] ?? []).includes(b) && a !== b;
  const effect = slowdown(disturbances, (name) => isPure(name));
  if (effect === null && !siblings) return null;
  const elsewhere = machine.usableCpus.find((cpu) => !(machine.smtSiblings[a] ?? []).includes(cpu));
  return {
    code: 'SHARED_CORE',
    title: 'The two sides of a duet slow each other although they have a CPU each',
    effect,
    evidence: siblings
      ? `CPUs ${a} and ${b} are threads of one core`
      : `CPUs ${a} and ${b} are told to be separate cores, but they behave like threads of one, as virtual machines may hide, or the ` +
        'clock falls when both are busy',
    advice: {
      withoutRoot:
        siblings && elsewhere !== undefined
          ? `Use another core: --cpus ${a},${elsewhere}.`
          : 'Use --method tandem, whose sides have one CPU by turns, or sequential; see which sees more in the table above. For a duet use ' +
            'a machine with more cores (a virtual one with at least 4 CPUs, so that two physical cores are among them).',
      asRoot: siblings ? 'deadheat doctor --apply smt turns the threads off.' : null,
    },
    applies: siblings ? 'smt' : null,
  };
}

/** What a copy beside it costs a program that needs memory or caches. */
export function sharedMemory({ disturbances }: DoctorFacts): Finding | null {
  const effect = slowdown(disturbances, (name) => !isPure(name));
  if (effect === null) return null;
  return {
    code: 'SHARED_MEMORY',
    title: 'Programs that need much memory slow each other in a duet',
    effect,
    evidence: 'both cores share the way to the memory and the last cache',
    advice: {
      withoutRoot:
        'A comparison stays fair, for both sides meet it, but times are longer than alone and a difference can show smaller than it ' +
        'is. Where times alone matter: --method sequential, or cores that share less (--cpus, another socket).',
      asRoot: null,
    },
    applies: null,
  };
}

function slowdown(
  disturbances: DoctorFacts['disturbances'],
  counts: (name: (typeof workloadNames)[number]) => boolean,
): Effect | null {
  const [worst] = (disturbances?.sharing ?? [])
    .filter(
      ({ benchmark, low }) => low > noteworthy && workloadNames.some((name) => name === benchmark && counts(name)),
    )
    .toSorted((left, right) => right.ratio - left.ratio);
  if (worst === undefined) return null;
  const { benchmark, ratio, low, high } = worst;
  return {
    kind: 'shift',
    share: ratio - 1,
    how:
      `${benchmark} takes ${percentOf(ratio - 1)} more CPU time beside a copy of itself than alone ` +
      `[${percentOf(low - 1)} ... ${percentOf(high - 1)}]`,
  };
}
