import { DeadheatError, methodFacts, type ExperimentConfig, type Parts, type Settings } from '@deadheat/model';

/** One of several parts of an experiment; each is executed on a machine of its own, or on one of the machines that the experiment names. */
export interface Part {
  /** 1 … count. */
  readonly index: number;
  readonly count: number;
}

/** Runs of a benchmark with numbers that follow each other. */
export interface RunRange {
  /** Number of the first run, from 0. */
  readonly first: number;
  readonly count: number;
}

/** The settings by which runs are divided. */
export type DividedRuns = { readonly runs: number } & Pick<Settings, 'swap' | 'method' | 'pilotRuns'>;

/** Two runs that trade cores stay on one machine; a tandem has none to trade, and what pilot runs choose may be a duet. */
function unitOf({ swap, method, pilotRuns }: DividedRuns): 1 | 2 {
  return swap === 'pair' && (methodFacts[method].cpus !== 'one-shared' || pilotRuns > 0) ? 2 : 1;
}

/**
 * The runs of a benchmark that belong to a part. Parts differ by one run at most, where cores are traded in blocks of two by
 * one block.
 */
export function runsOfPart(part: Part, divided: DividedRuns): RunRange {
  const { runs } = divided;
  const unit = unitOf(divided);
  const units = Math.ceil(runs / unit);
  const first = Math.floor(((part.index - 1) * units) / part.count) * unit;
  const end = Math.min(runs, Math.floor((part.index * units) / part.count) * unit);
  return { first, count: end - first };
}

/** Largest number of parts of which none is without a run. */
export function mostParts(divided: DividedRuns): number {
  return Math.ceil(divided.runs / unitOf(divided));
}

/** The part of a recording that holds one alone; `null` where it holds several, or was never divided. */
export function onlyPart(parts: Parts | undefined): Part | null {
  const [index, ...more] = parts?.taken ?? [];
  return parts === undefined || index === undefined || more.length > 0 ? null : { index, count: parts.count };
}

/** The share of a part in an experiment. */
export interface PartShare {
  /** Its machine among all of them, which have the same number of runs of each benchmark. */
  readonly machine: Part;
  /** Name of that machine; `null` = the experiment gives it none. */
  readonly name: string | null;
  /** True for the entries of the experiment's benchmarks that this part executes on its machine. */
  readonly holds: (entry: number) => boolean;
}

/**
 * The share of a part. Without `machines` each part is one. With them the first parts are those of the first machine, and so on; the parts of a machine
 * divide the benchmarks by name, with all their methods, versions, parameters and controls.
 *
 * @throws DeadheatError `CANNOT_DIVIDE` where machines would have different numbers of parts, or a part no benchmark
 */
export function shareOf(
  { index, count }: Part,
  { machines = count, benchmarks }: Pick<ExperimentConfig, 'machines' | 'benchmarks'>,
): PartShare {
  const names = typeof machines === 'number' ? [] : machines;
  const number = typeof machines === 'number' ? machines : machines.length;
  const each = count / number;
  const works = benchmarks.map(({ name, controlOf }) => controlOf ?? name);
  const distinct = [...new Set(works)];
  if (!Number.isInteger(each) || each > distinct.length) {
    throw new DeadheatError(
      'CANNOT_DIVIDE',
      `${distinct.length} benchmarks on ${number} machines cannot be divided into ${count} parts: each machine has the same number of parts, and each ` +
        `part a benchmark at least. Make a multiple of ${number}, at most ${number * distinct.length}.`,
    );
  }
  const machine = Math.ceil(index / each);
  return {
    machine: { index: machine, count: number },
    name: names[machine - 1] ?? null,
    holds: (entry) => distinct.indexOf(works[entry] ?? '') % each === (index - 1) % each,
  };
}
