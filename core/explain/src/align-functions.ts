import { type AlignedFunction, type CalledPlace, type Frame, type Side, sides } from '@deadheat/model';
import { functionKey, type SampledRun, samplesOf } from './sampled-run.ts';

/** CPU time of a run by the numbers of functions, s. */
export interface RunCosts {
  readonly cpuSeconds: number;
  readonly self: ReadonlyMap<number, number>;
  /** With everything that the function called. */
  readonly total: ReadonlyMap<number, number>;
}

/** A place in the call tree of a side; the function numbers are those of the side. Seconds of all runs together. */
interface StackNode {
  seconds: number;
  children: Map<number, StackNode> | null;
}

/** Samples of a function in the runs of a side. */
interface Seen {
  readonly number: number;
  readonly frame: Frame;
  /** Samples by the name of the caller. */
  readonly callers: Map<string, number>;
}

/** Sums over the runs of a side. A run itself is not kept: profiles may be larger in sum than the memory. */
export class SideSums {
  /** Functions by their keys, in the order of their numbers. */
  readonly seen: Map<string, Seen> = new Map();
  readonly runs: RunCosts[] = [];
  readonly root: StackNode = { seconds: 0, children: null };
  /** Samples of all runs. */
  samples = 0;

  /**
   * Adds a run, its files already without the side's folder. A stack gets the CPU time that is its share of the samples.
   *
   * @param cpuSeconds CPU time of the run, s
   */
  add(run: SampledRun, cpuSeconds: number): void {
    const { frames, stacks } = run;
    const seen = frames.map((frame) => this.#seen(frame));
    const samples = samplesOf(run);
    const [self, total] = [new Map<number, number>(), new Map<number, number>()];
    for (const stack of stacks) {
      const seconds = (stack.samples / samples) * cpuSeconds;
      const path = stack.frames.flatMap((at) => seen[at] ?? []);
      let node = this.root;
      for (const [depth, { number, callers }] of path.entries()) {
        const caller = path[depth - 1]?.frame.name ?? '';
        callers.set(caller, (callers.get(caller) ?? 0) + stack.samples);
        node.children ??= new Map();
        let child = node.children.get(number);
        if (child === undefined) node.children.set(number, (child = { seconds: 0, children: null }));
        node = child;
      }
      node.seconds += seconds;
      const leaf = path.at(-1)?.number;
      if (leaf !== undefined) self.set(leaf, (self.get(leaf) ?? 0) + seconds);
      for (const { number } of new Set(path)) total.set(number, (total.get(number) ?? 0) + seconds);
    }
    this.samples += samples;
    this.runs.push({ cpuSeconds, self, total });
  }

  #seen(frame: Frame): Seen {
    const key = functionKey(frame);
    let one = this.seen.get(key);
    if (one === undefined) this.seen.set(key, (one = { number: this.seen.size, frame, callers: new Map() }));
    return one;
  }
}

/** Gives functions of two sides their numbers, one for what is the same function. */
export class FunctionTable {
  readonly functions: readonly AlignedFunction[];
  readonly #sums: Readonly<Record<Side, SideSums>>;
  /** Numbers in the table by those of a side. */
  readonly #numbers: Readonly<Record<Side, Map<number, number>>> = { A: new Map(), B: new Map() };

  constructor(sums: Readonly<Record<Side, SideSums>>) {
    this.#sums = sums;
    const seen = { A: sums.A.seen, B: sums.B.seen };
    const functions: AlignedFunction[] = [];
    const taken: Readonly<Record<Side, Set<string>>> = { A: new Set(), B: new Set() };
    const add = (kind: AlignedFunction['kind'], keys: Readonly<Partial<Record<Side, string>>>): void => {
      const found = { A: seen.A.get(keys.A ?? ''), B: seen.B.get(keys.B ?? '') };
      const number = functions.push({ A: found.A?.frame ?? null, B: found.B?.frame ?? null, kind }) - 1;
      for (const side of sides) {
        if (found[side] === undefined) continue;
        taken[side].add(keys[side] ?? '');
        this.#numbers[side].set(found[side].number, number);
      }
    };
    const isFree = (side: Side, key: string): boolean => !taken[side].has(key);
    for (const key of seen.A.keys()) if (seen.B.has(key)) add('both', { A: key, B: key });
    // A function whose file has another name on the other side.
    for (const [A, B] of uniquePairs(seen, { isFree, propertyOf: ({ frame }) => frame.name })) add('both', { A, B });
    for (const [A, B] of uniquePairs(seen, { isFree, propertyOf: placeOf })) add('renamed', { A, B });
    for (const side of sides) {
      for (const key of seen[side].keys()) if (isFree(side, key)) add(`${side} only`, { [side]: key });
    }
    this.functions = functions;
  }

  /** The costs of each run of a side, by the numbers of the table. */
  costsOf(side: Side): readonly RunCosts[] {
    const renumber = (costs: ReadonlyMap<number, number>): ReadonlyMap<number, number> =>
      new Map([...costs].map(([number, seconds]) => [this.#numberOf(side, number), seconds]));
    return this.#sums[side].runs.map(({ cpuSeconds, self, total }) => ({
      cpuSeconds,
      self: renumber(self),
      total: renumber(total),
    }));
  }

  /** The call tree of both sides: CPU time of a run, mean over the runs. */
  tree(): CalledPlace {
    return this.#place(-1, { A: this.#sums.A.root, B: this.#sums.B.root });
  }

  #numberOf(side: Side, number: number): number {
    return this.#numbers[side].get(number) ?? -1;
  }

  #place(fn: number, nodes: Readonly<Partial<Record<Side, StackNode>>>): CalledPlace {
    const below = new Map<number, Partial<Record<Side, StackNode>>>();
    for (const side of sides) {
      for (const [number, child] of nodes[side]?.children ?? []) {
        const at = this.#numberOf(side, number);
        below.set(at, { ...below.get(at), [side]: child });
      }
    }
    const ns = (side: Side): number => Math.round(((nodes[side]?.seconds ?? 0) / this.#sums[side].runs.length) * 1e9);
    return [fn, ns('A'), ns('B'), ...[...below].map(([at, one]) => this.#place(at, one))];
  }
}

/** The file and the caller from which most samples came: a function that is renamed keeps both. */
function placeOf({ frame, callers }: Seen): string {
  const [main = ['', 0]] = [...callers].toSorted((a, b) => b[1] - a[1]);
  return `${frame.file}\t${main[0]}`;
}

/** Pairs of keys, not yet taken, whose property no other function of either side has. */
function uniquePairs(
  seen: Readonly<Record<Side, ReadonlyMap<string, Seen>>>,
  {
    isFree,
    propertyOf,
  }: { readonly isFree: (side: Side, key: string) => boolean; readonly propertyOf: (one: Seen) => string },
): readonly (readonly [string, string])[] {
  function byProperty(side: Side): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const [key, one] of seen[side]) {
      if (!isFree(side, key)) continue;
      const property = propertyOf(one);
      groups.set(property, [...(groups.get(property) ?? []), key]);
    }
    return groups;
  }
  const B = byProperty('B');
  return [...byProperty('A')].flatMap(([property, [a, ...more]]) => {
    const [b, ...others] = B.get(property) ?? [];
    return a !== undefined && b !== undefined && more.length + others.length === 0 ? [[a, b] as const] : [];
  });
}
