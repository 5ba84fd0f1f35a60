import { workloadNames } from '@deadheat/workloads';
import {
  type DoctorFacts,
  type Effect,
  effectOfCount,
  type Finding,
  isPure,
  leastShare,
  meanOf,
  percentOf,
} from './facts.ts';
import { doctorIterations } from './request.ts';

const fastClocks: ReadonlySet<string> = new Set([
  'tsc',
  'arch_sys_counter',
  'kvm-clock',
  'hyperv_clocksource_tsc_page',
]);

/** A clock that is slow to read, or coarse. */
export function clock({ machine: { clockSource }, clock: { readNs, stepNs } }: DoctorFacts): Finding | null {
  const share = Math.max(readNs, stepNs) / doctorIterations.durationNs;
  const isSlow = clockSource !== null && !fastClocks.has(clockSource);
  if (!isSlow && share < leastShare) return null;
  return {
    code: 'CLOCK',
    title: 'Reading the time is slow or coarse',
    effect:
      share < leastShare
        ? null
        : {
            kind: 'shift',
            share,
            how: `${Math.round(readNs)} ns a reading and steps of ${stepNs} ns, of iterations of 10 ms`,
          },
    evidence: `clock source ${clockSource ?? 'unknown'}: ${Math.round(readNs)} ns a reading, steps of ${stepNs} ns`,
    advice: {
      withoutRoot: 'Let every execution do more work, many milliseconds at least.',
      asRoot:
        'When tsc is listed in /sys/devices/system/clocksource/clocksource0/available_clocksource, write it to current_clocksource.',
    },
    applies: null,
  };
}

/** Less is also brought about by the programs' own start: layout, compilation. */
const leastSpeedSpread = 0.005;

/** Cores that do the same work in more CPU time at one moment than at another. */
export function coreSpeed({ machine: { virtualization, governor }, disturbances }: DoctorFacts): Finding | null {
  const speed = disturbances?.speed ?? null;
  if (speed === null || speed.spread < leastSpeedSpread) return null;
  const hidden =
    virtualization === null
      ? ''
      : ` Here (${virtualization}) it may also be time that the hypervisor took without reporting it; what the host's cores do besides is hidden.`;
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

const leastDifference = 0.002;

/** Two cores of different speed. */
export function coresDiffer({ cpus: [a, b], disturbances }: DoctorFacts): Finding | null {
  const [worst] = (disturbances?.places ?? [])
    .filter(({ ratio, low, high }) => (low > 1 || high < 1) && Math.abs(ratio - 1) >= leastDifference)
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

/** A clock of the cores that follows load and heat. */
export function frequency({ machine: { governor, turbo }, disturbances }: DoctorFacts): Finding | null {
  const effect = effectOfCount(disturbances, { name: 'frequency', sign: 'shorter' });
  const isFollowing = governor !== null && governor !== 'performance';
  if (effect === null && !isFollowing && turbo !== true) return null;
  const clock = disturbances?.counts.find(({ name }) => name === 'frequency');
  const seen = [
    ...(governor === null ? [] : [`the governor is ${governor}`]),
    ...(turbo === null ? [] : [`turbo is ${turbo ? 'on' : 'off'}`]),
    ...(clock === undefined
      ? []
      : [`after the runs the cores stood at ${(Math.exp(clock.mean) / 1e9).toFixed(2)} GHz`]),
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

/** A copy that slows by less is the clock of a busy second core. */
const leastSlowdown = 1.05;

/** Cost of a copy beside it to a program that needs the core alone. */
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
      : `CPUs ${a} and ${b} are reported as separate cores, but they behave like threads of one, as virtual machines may hide, or the ` +
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

/** Cost of a copy beside it to a program that needs memory or caches. */
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
      ({ benchmark, low }) => low > leastSlowdown && workloadNames.some((name) => name === benchmark && counts(name)),
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
