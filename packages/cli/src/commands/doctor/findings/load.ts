import type { DoctorFacts } from '../doctor-facts.ts';
import { effectOf, effectOfCount, meanOf, percentOf } from '../effects.ts';
import type { Finding } from '../finding.ts';

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
