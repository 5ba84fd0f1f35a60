import type { ExperimentConfig } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import { lengthsOf, type UsableRun } from '../pairing/select-runs.ts';
import { at, numbersOf } from '../internal/lists.ts';

/** Units that the bootstrap draws: groups of runs, by their places in the list of usable runs. */
export interface ResamplingUnits {
  readonly unit: 'run' | 'traded-block';
  readonly members: readonly (readonly number[])[];
}

/** With fewer blocks, halving the number of units costs more than the blocks gain. */
const fewestBlocks = 3;

/** Cores of two machines have nothing in common but their numbers, and two layouts are two programs. */
function traded(left: UsableRun, right: UsableRun): boolean {
  if (left.trial.host !== right.trial.host || left.trial.layout !== right.trial.layout) return false;
  const [a, b] = coresOf(left);
  const [otherA, otherB] = coresOf(right);
  return a !== b && a === otherB && b === otherA;
}

function coresOf({ trial: { sides } }: UsableRun): readonly [number, number] {
  return [sides.A.cpu, sides.B.cpu];
}

let lastSingles: ResamplingUnits = { unit: 'run', members: [] };

/** Every run as a unit; of the same number of runs they are the same again, as they are asked for at every shift. */
export function singles({ length }: ArrayLike<unknown>): ResamplingUnits {
  if (lastSingles.members.length !== length) {
    lastSingles = { unit: 'run', members: Array.from({ length }, (_, r) => [r]) };
  }
  return lastSingles;
}

/**
 * Groups runs into blocks of two in which the sides traded cores. When one of the cores is disturbed, log ratios alternate
 * between +d and -d with the cores; inside a block d cancels, while runs as units would carry it as noise. Blocks are formed by
 * run number alone, never by what was measured: first runs 2k and 2k+1, then what a failed run left without its partner, in
 * order, with the next one on the opposite cores. A run without any partner is a unit by itself, and the caller weighs units by
 * their size.
 *
 * The unit is the run where there would be fewer than three blocks.
 */
export function tradedBlocks(runs: readonly UsableRun[]): ResamplingUnits {
  const blocks: number[][] = [];
  const leftOver: number[] = [];
  for (let r = 0; r < runs.length; r++) {
    const run = at(runs, r);
    const next = runs[r + 1];
    if (next !== undefined && run.trial.run % 2 === 0 && next.trial.run === run.trial.run + 1 && traded(run, next)) {
      blocks.push([r, r + 1]);
      r++;
    } else leftOver.push(r);
  }
  const waiting = new Map<string, number[]>();
  for (const r of leftOver) {
    const {
      host = '',
      layout = 0,
      sides: { A, B },
    } = at(runs, r).trial;
    const place = `${layout} ${host}`;
    const partner = A.cpu === B.cpu ? undefined : waiting.get(`${B.cpu} ${A.cpu} ${place}`)?.shift();
    if (partner !== undefined) {
      blocks.push([partner, r]);
      continue;
    }
    const alike = waiting.get(`${A.cpu} ${B.cpu} ${place}`);
    if (alike === undefined) waiting.set(`${A.cpu} ${B.cpu} ${place}`, [r]);
    else alike.push(r);
  }
  for (const r of [...waiting.values()].flat()) blocks.push([r]);
  if (blocks.filter((block) => block.length === 2).length < fewestBlocks) return singles(runs);
  return { unit: 'traded-block', members: blocks.toSorted((left, right) => at(left, 0) - at(right, 0)) };
}

/**
 * Units of an interval over independent values: traded blocks where a run is a single pair and the sides trade cores at every
 * pair, else the run.
 */
export function resamplingUnits(
  runs: readonly UsableRun[],
  options: { readonly swap: ExperimentConfig['swap'] },
): ResamplingUnits {
  if (options.swap !== 'pair') return singles(runs);
  const { A, B } = lengthsOf(runs);
  if (runs.some(({ pairs }, r) => pairs.length !== 1 || at(A, r) + at(B, r) !== 2)) return singles(runs);
  return tradedBlocks(runs);
}

/**
 * Where the sides of a duet traded the cores of one machine: for every run whether A had the lower one.
 *
 * @returns `null` where a side kept its core, both shared one, or the runs are of several machines.
 */
export function coreAssignments(runs: readonly UsableRun[]): readonly boolean[] | null {
  const [first] = runs;
  if (first === undefined) return null;
  const { host } = first.trial;
  const [one, other] = coresOf(first);
  if (one === other) return null;
  const lower = runs.map((run) => {
    const [a, b] = coresOf(run);
    const isOf = run.trial.host === host && ((a === one && b === other) || (a === other && b === one));
    return isOf ? a < b : null;
  });
  return lower.every((isLower) => isLower !== null) && new Set(lower).size === 2 ? lower : null;
}

/** The mean of a value a run over each unit's runs. */
export function unitMeans(values: ArrayLike<number>, members: readonly (readonly number[])[]): Float64Array {
  return numbersOf(members, (runs) => mean(runs.map((r) => at(values, r))));
}

/**
 * A value a unit whose plain mean is the mean over all runs, so that the estimate stays the published one when a run is
 * left without a partner. With weights w (the sizes of the units, W their sum) and weighted mean m, the value v of a unit
 * becomes m + n w / W (v - m): the bootstrap of their plain mean is the linearised bootstrap of the weighted mean. Units of
 * one size keep their values.
 *
 * @param means `unitMeans` of the same values.
 */
export function weightedUnits(
  values: ArrayLike<number>,
  members: readonly (readonly number[])[],
  means: Float64Array = unitMeans(values, members),
): Float64Array {
  const size = members[0]?.length;
  if (members.every((runs) => runs.length === size)) return means;
  const own = new Float64Array(members.reduce((sum, runs) => sum + runs.length, 0));
  let place = 0;
  for (const runs of members) for (const r of runs) own[place++] = at(values, r);
  const centre = mean(own);
  return means.map((value, u) => centre + ((members.length * at(members, u).length) / own.length) * (value - centre));
}
