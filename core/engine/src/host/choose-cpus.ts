import { DeadheatError, type ErrorCode } from '@deadheat/model';
import { formatCpuList } from './cpu-topology.ts';

export interface ChooseCpusOptions {
  /** CPUs that this process may use (affinity and cpuset). */
  readonly usableCpus: readonly number[];
  /** CPUs on the same physical core as a CPU, itself included; `null` when the machine does not report it. */
  readonly smtSiblingsOf: (cpu: number) => readonly number[] | null;
  /** The CPUs that the user named, in the order given: in a duet A's, then B's. */
  readonly requested?: readonly number[];
  /** CPUs of the machine that are online, so that a refusal can distinguish a missing CPU from a forbidden one. */
  readonly onlineCpus?: readonly number[] | null;
}

/** The CPUs of an experiment, by their use. */
export interface CpuChoice {
  /** The sides of a duet; twice the same where there is a single CPU. */
  readonly duet: readonly [number, number] & [number, number];
  /** Cores for tandems, one CPU of each physical core, at least one. */
  readonly tandem: readonly number[];
  /** CPUs of a side that runs alone. */
  readonly alone: readonly number[];
}

/**
 * Chooses among those CPUs that the user asked for, otherwise among all usable ones by these rules, the first being the
 * strongest. For a duet: not two threads of one core; with more than three usable CPUs not CPU 0, which serves most
 * interrupts, and then not another thread of its core; the lowest numbers. For tandems: the first CPU of every physical
 * core, with more than three cores without that of CPU 0.
 *
 * @throws DeadheatError when the CPUs asked for cannot be used
 */
export function chooseCpus(options: ChooseCpusOptions): CpuChoice {
  const { smtSiblingsOf, requested } = options;
  const usableCpus = [...new Set(options.usableCpus)].toSorted((a, b) => a - b);
  if (requested !== undefined) {
    const cpus = checkRequestedCpus({ requested, usableCpus, onlineCpus: options.onlineCpus ?? null });
    const [first = 0, second = first] = cpus;
    return { duet: [first, second], tandem: cpus, alone: cpus };
  }
  const cores = firstOfEachCore(usableCpus, smtSiblingsOf);
  const coreOfZero = smtSiblingsOf(0) ?? [0];
  const tandem = cores.length > 3 ? cores.filter((cpu) => !coreOfZero.includes(cpu)) : cores;
  return { duet: chooseTwo(usableCpus, smtSiblingsOf), tandem, alone: usableCpus };
}

function chooseTwo(
  usableCpus: readonly number[],
  smtSiblingsOf: ChooseCpusOptions['smtSiblingsOf'],
): readonly [number, number] & [number, number] {
  const candidates = inOrderOfPreference(usableCpus, smtSiblingsOf);
  for (const [i, first] of candidates.entries()) {
    const second = candidates.slice(i + 1).find((cpu) => smtSiblingsOf(first)?.includes(cpu) !== true);
    if (second !== undefined) return ascending(first, second);
  }
  const [first = 0, second = first] = candidates;
  return ascending(first, second);
}

function firstOfEachCore(
  usableCpus: readonly number[],
  smtSiblingsOf: ChooseCpusOptions['smtSiblingsOf'],
): readonly number[] {
  return usableCpus.filter(
    (cpu, index) => !usableCpus.slice(0, index).some((before) => smtSiblingsOf(before)?.includes(cpu) === true),
  );
}

function inOrderOfPreference(
  usableCpus: readonly number[],
  smtSiblingsOf: ChooseCpusOptions['smtSiblingsOf'],
): readonly number[] {
  if (usableCpus.length <= 3) return usableCpus;
  const coreOfZero = smtSiblingsOf(0) ?? [0];
  function rank(cpu: number): number {
    return cpu === 0 ? 2 : coreOfZero.includes(cpu) ? 1 : 0;
  }
  return usableCpus.toSorted((a, b) => rank(a) - rank(b) || a - b);
}

function ascending(first: number, second: number): readonly [number, number] & [number, number] {
  return first < second ? [first, second] : [second, first];
}

interface RequestedCpus {
  readonly requested: readonly number[];
  readonly usableCpus: readonly number[];
  /** CPUs of the machine that are online; without them a missing CPU is only called unusable. */
  readonly onlineCpus: readonly number[] | null;
}

/**
 * The CPUs that the user named, when each exists and may be used and they differ.
 *
 * @throws DeadheatError with a message that names the CPUs that can be used
 */
function checkRequestedCpus(options: RequestedCpus): readonly number[] {
  const { requested, usableCpus, onlineCpus } = options;
  function fail(code: ErrorCode, what: string): DeadheatError {
    const choice =
      usableCpus.length === 0
        ? 'this process may use no CPU'
        : `this process may use CPUs ${formatCpuList(usableCpus)}; name one or more of them, such as ${usableCpus.slice(0, 2).join(',')}`;
    return new DeadheatError(code, `CPUs ${requested.join(',')}: ${what}; ${choice}.`);
  }
  if (requested.length === 0) throw fail('CPU_COUNT', 'no CPU is named');
  for (const cpu of requested) {
    if (!Number.isSafeInteger(cpu) || cpu < 0) throw fail('CPU_NOT_FOUND', `${cpu} is not the number of a CPU`);
    if (usableCpus.includes(cpu)) continue;
    if (onlineCpus !== null && !onlineCpus.includes(cpu)) {
      const online = formatCpuList(onlineCpus);
      throw fail('CPU_NOT_FOUND', `there is no CPU ${cpu} online on this machine (online: ${online})`);
    }
    throw fail(
      'CPU_NOT_USABLE',
      `CPU ${cpu} is not usable, outside the affinity or cpuset of this process or not there`,
    );
  }
  const twice = requested.find((cpu, index) => requested.indexOf(cpu) !== index);
  if (twice !== undefined) throw fail('CPU_TWICE', `CPU ${twice} is named twice`);
  return requested;
}
