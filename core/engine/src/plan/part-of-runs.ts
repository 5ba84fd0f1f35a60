import { methodFacts, type Parts, type Settings } from '@deadheat/model';

/** One of several parts of an experiment's runs; each is executed on a machine of its own. */
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
