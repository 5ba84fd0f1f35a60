import {
  type DoctorFacts,
  effectOf,
  effectOfCount,
  type Finding,
  isSignificant,
  leastShare,
  meanOf,
  percentOf,
} from './facts.ts';

/** A limit of CPU time of the container or job. */
export function cpuQuota({ machine: { cpuQuota: quota }, disturbances }: DoctorFacts): Finding | null {
  const heldBack = meanOf(disturbances, 'throttled');
  const effect = effectOfCount(disturbances, { name: 'throttled', sign: 'longer' });
  if (effect === null && heldBack === 0 && (quota === null || quota >= 2)) return null;
  const limit = quota === null ? 'a limit of CPU time' : `${Number(quota.toFixed(2))} CPUs`;
  return {
    code: 'CPU_QUOTA',
    title: 'The container or job has too little CPU time for two cores at once',
    effect,
    evidence: `the control group may use ${limit} and was stopped for ${percentOf(heldBack)} of the runs' time`,
    advice: {
      withoutRoot:
        'Start the container or job with at least 2 CPUs (--cpus=2, limits.cpu: 2) or none. Else --method tandem ' +
        'and --method sequential need 1 alone, and --metric cpu suffers least.',
      asRoot: 'On the host lift cpu.max (v1: cpu.cfs_quota_us) of the group.',
    },
    applies: null,
  };
}

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

const busyLoad = 1;
/** Part of its time that a program waits on an idle machine, too, for interrupts and the like. */
const idleWaiting = 0.005;
const busyPressure = 0.1;

/** Other work that competes for the cores. */
export function load({ machine, pressure, disturbances }: DoctorFacts): Finding | null {
  const waiting = disturbances?.waiting ?? null;
  const effect =
    effectOf(waiting?.explained ?? null, 'longer') ??
    effectOfCount(disturbances, { name: 'cpu-pressure', sign: 'longer' });
  const isBusy = machine.load1 > busyLoad || (pressure.cpu ?? 0) > busyPressure;
  if (effect === null && !isBusy && (waiting?.mean ?? 0) < idleWaiting) return null;
  const seen = [
    ...(waiting === null
      ? []
      : [`programs that were ready waited for their core in ${percentOf(waiting.mean)} of their time`]),
    ...(disturbances === null || pressure.cpu === null
      ? []
      : [
          `some program of the machine waited for a CPU in ${percentOf(meanOf(disturbances, 'cpu-pressure'))} of the runs' time`,
        ]),
    `before, the load average was ${machine.load1.toFixed(1)} on ${machine.onlineCpus} CPUs` +
      (pressure.cpu === null ? '' : `, and some program waited for a CPU in ${percentOf(pressure.cpu)} of 10 s`),
  ];
  return {
    code: 'LOAD',
    title: 'Other work competes for the cores',
    effect,
    evidence: seen.join('; '),
    advice: {
      withoutRoot:
        'Stop the other work or wait for its end; in CI give the benchmark a job and a machine of its own. Else compare ' +
        'programs that compute in a tandem (--method tandem, the default for them): it takes time from both sides alike, which CPU time ' +
        'leaves out. For programs that wait ask for more runs (--until decided, --precision).',
      asRoot: 'Keep other work off two cores: cpuset groups, or the boot parameters isolcpus= and irqaffinity=.',
    },
    applies: null,
  };
}

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

const noteworthy = 0.01;
/** Below this part of the memory available the kernel begins to look for pages to take back. */
const scarce = 0.1;

/** Programs that wait for memory. */
export function memoryPressure({ machine, pressure, disturbances }: DoctorFacts): Finding | null {
  const { memoryAvailableBytes, memoryTotalBytes } = machine;
  const available =
    memoryAvailableBytes === null || memoryTotalBytes === 0 ? null : memoryAvailableBytes / memoryTotalBytes;
  const during = meanOf(disturbances, 'memory-pressure');
  const effect = effectOfCount(disturbances, { name: 'memory-pressure', sign: 'longer' });
  const isScarce = available !== null && available < scarce;
  if (effect === null && !isScarce && Math.max(during, pressure.memory ?? 0) < noteworthy) return null;
  const seen = [
    ...(disturbances === null ? [] : [`some program waited for memory in ${percentOf(during)} of the runs' time`]),
    ...(pressure.memory === null ? [] : [`in ${percentOf(pressure.memory)} of the 10 s before`]),
    ...(available === null ? [] : [`${percentOf(available)} of the memory is available`]),
  ];
  return {
    code: 'MEMORY_PRESSURE',
    title: 'Programs wait for memory',
    effect,
    evidence: seen.join('; '),
    advice: {
      withoutRoot: 'End programs that hold memory, give the container more of it, or take a larger machine.',
      asRoot: 'Turn swap off for the time of the measurements (swapoff -a), when the memory suffices without it.',
    },
    applies: null,
  };
}

/** Reasons why this machine cannot run duets, nor tandems unless CPUs are what it lacks. */
export function noDuet({ obstacle }: DoctorFacts): Finding | null {
  if (obstacle === null) return null;
  const { code, why, advice } = obstacle;
  const hasTandem = code === 'SINGLE_CORE';
  const besides =
    'Programs that compute need none: in a tandem both sides share the one CPU. Those that wait are run one after the other. ';
  return {
    code: 'NO_DUET',
    title: hasTandem ? 'There are no duets here, but tandems' : 'There are neither tandems nor duets here',
    effect: null,
    evidence: why,
    advice: { withoutRoot: `${hasTandem ? besides : ''}${advice}`, asRoot: null },
    applies: null,
  };
}

/** Time that the hypervisor takes. */
export function steal({ disturbances }: DoctorFacts): Finding | null {
  const stolen = meanOf(disturbances, 'steal');
  const effect = effectOfCount(disturbances, { name: 'steal', sign: 'longer' });
  if (effect === null && stolen < leastShare) return null;
  return {
    code: 'STEAL',
    title: 'The hypervisor takes the cores away for other machines',
    effect,
    evidence: `${percentOf(stolen)} of the cores' time was stolen during the runs (reported in steps of 10 ms)`,
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
