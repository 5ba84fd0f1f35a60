import type { DoctorFacts } from '../doctor-facts.ts';
import { leastShare } from '../effects.ts';
import type { Finding } from '../finding.ts';
import { doctorIterations } from '../doctor-request.ts';

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
