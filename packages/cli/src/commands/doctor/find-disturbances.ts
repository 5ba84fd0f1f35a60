import type { DoctorFacts, Finding } from './facts.ts';
import { clock, coresDiffer, coreSpeed, frequency, heat, sharedCore, sharedMemory, smt } from './findings-of-cores.ts';
import { cpuQuota, drift, load, memoryLayout, memoryPressure, noDuet, steal } from './findings-of-surroundings.ts';

/** Without a measured effect they stand in this order: the worse as a rule first. */
const finders: readonly ((facts: DoctorFacts) => Finding | null)[] = [
  noDuet,
  cpuQuota,
  sharedCore,
  load,
  steal,
  memoryPressure,
  heat,
  frequency,
  coreSpeed,
  drift,
  clock,
  sharedMemory,
  coresDiffer,
  smt,
  memoryLayout,
];

const rank = { spread: 0, shift: 1, none: 2 } as const;

/**
 * What disturbs this machine: first what makes runs differ, then what shifts them, each by the size of its measured effect, then
 * what is there without a measured effect.
 */
export function findDisturbances(facts: DoctorFacts): readonly Finding[] {
  return finders
    .map((find) => find(facts))
    .filter((finding) => finding !== null)
    .toSorted(
      (left, right) =>
        rank[left.effect?.kind ?? 'none'] - rank[right.effect?.kind ?? 'none'] ||
        (right.effect?.share ?? 0) - (left.effect?.share ?? 0),
    );
}
