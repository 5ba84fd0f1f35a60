import type { DoctorFacts } from './doctor-facts.ts';
import type { Finding } from './finding.ts';
import { clock } from './findings/clock.ts';
import { coreSpeed } from './findings/core-speed.ts';
import { coresDiffer } from './findings/cores-differ.ts';
import { cpuQuota } from './findings/cpu-quota.ts';
import { drift } from './findings/drift.ts';
import { frequency } from './findings/frequency.ts';
import { heat } from './findings/heat.ts';
import { load } from './findings/load.ts';
import { memoryLayout } from './findings/memory-layout.ts';
import { memoryPressure } from './findings/memory-pressure.ts';
import { noDuet } from './findings/no-duet.ts';
import { sharedCore, sharedMemory } from './findings/sharing.ts';
import { smt } from './findings/smt.ts';
import { steal } from './findings/steal.ts';

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
