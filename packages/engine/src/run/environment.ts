import type { Side } from '@deadheat/model';

/** A side's environment: this process's, and which side it is (design: the workload protocol). */
export function sideEnvironment(side: Side): Readonly<Record<string, string>> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && !perRun.has(name)) environment[name] = value;
  }
  return { ...environment, DEADHEAT_SIDE: side };
}

/** Set anew for every run by whoever starts the program, or not at all: an outer duet's page is not this one's. */
const perRun = new Set([
  'DEADHEAT_RUN',
  'DEADHEAT_CPUS',
  'DEADHEAT_PAD',
  'DEADHEAT_SIDE',
  'DEADHEAT_PAGE',
  'DEADHEAT_RECORD',
]);
