import { type AlignedFunction, type Frame, type Side, sides } from '@deadheat/model';
import { functionKey, type SampledRun } from './sampled-run.ts';

/** CPU time of a run by the numbers of functions, s. */
export interface RunCosts {
  readonly cpuSeconds: number;
  readonly self: ReadonlyMap<number, number>;
  /** With everything that the function called. */
  readonly total: ReadonlyMap<number, number>;
}

/** A place in the call tree of both sides: the numbers of functions are its path. Seconds of a run, mean over the runs. */
export interface TreeNode {
  readonly fn: number;
  readonly self: { A: number; B: number };
  readonly children: Map<number, TreeNode>;
}

/** What a side's runs hold of a function. */
interface Seen {
  readonly frame: Frame;
  /** Samples by the caller's key. */
  readonly callers: Map<string, number>;
}

/** Gives functions of two sides their numbers, one for what is the same function. */
export class FunctionTable {
  readonly functions: readonly AlignedFunction[];
  readonly #numbers: Readonly<Record<Side, Map<string, number>>>;

  /** @param runs all runs of each side, their files already without the side's folder */
  constructor(runs: Readonly<Record<Side, readonly SampledRun[]>>) {
    const seen = { A: collect(runs.A), B: collect(runs.B) };
    const functions: AlignedFunction[] = [];
    this.#numbers = { A: new Map(), B: new Map() };
    const add = (kind: AlignedFunction['kind'], keys: Readonly<Partial<Record<Side, string>>>): void => {
      const frameIn = (side: Side): Frame | null => seen[side].get(keys[side] ?? '')?.frame ?? null;
      const number = functions.push({ A: frameIn('A'), B: frameIn('B'), kind }) - 1;
      for (const side of sides) if (keys[side] !== undefined) this.#numbers[side].set(keys[side], number);
    };
    const isFree = (side: Side, key: string): boolean => !this.#numbers[side].has(key);
    for (const key of seen.A.keys()) if (seen.B.has(key)) add('both', { A: key, B: key });
    // A function whose file has another name on the other side.
    for (const [A, B] of uniquePairs(seen, { isFree, propertyOf: ({ frame }) => frame.name })) add('both', { A, B });
    for (const [A, B] of uniquePairs(seen, { isFree, propertyOf: placeOf })) add('renamed', { A, B });
    for (const side of sides) {
      for (const key of seen[side].keys()) if (isFree(side, key)) add(`${side} only`, { [side]: key });
    }
    this.functions = functions;
  }

  /** @param run one of the runs that the table was made of */
  numberOf(side: Side, frame: Frame): number {
    const number = this.#numbers[side].get(functionKey(frame));
    if (number === undefined) throw new RangeError(`${functionKey(frame)} is in no run of ${side}`);
    return number;
  }

  /** The CPU time of a run: the share of the samples times that of the process. */
  costsOf(side: Side, run: SampledRun, cpuSeconds: number): RunCosts {
    const numbers = run.frames.map((frame) => this.numberOf(side, frame));
    const samples = run.stacks.reduce((sum, stack) => sum + stack.samples, 0);
    const [self, total] = [new Map<number, number>(), new Map<number, number>()];
    for (const stack of run.stacks) {
      const seconds = (stack.samples / samples) * cpuSeconds;
      const path = stack.frames.map((at) => numbers[at] ?? 0);
      const leaf = path.at(-1);
      if (leaf !== undefined) self.set(leaf, (self.get(leaf) ?? 0) + seconds);
      for (const fn of new Set(path)) total.set(fn, (total.get(fn) ?? 0) + seconds);
    }
    return { cpuSeconds, self, total };
  }

  /** Adds a run to the tree; `seconds` is what all its samples stand for. */
  addTo(
    root: TreeNode,
    { side, run, seconds }: { readonly side: Side; readonly run: SampledRun; readonly seconds: number },
  ): void {
    const numbers = run.frames.map((frame) => this.numberOf(side, frame));
    const samples = run.stacks.reduce((sum, stack) => sum + stack.samples, 0);
    for (const stack of run.stacks) {
      let node = root;
      for (const at of stack.frames) {
        const fn = numbers[at] ?? 0;
        let child = node.children.get(fn);
        if (child === undefined) node.children.set(fn, (child = emptyNode(fn)));
        node = child;
      }
      node.self[side] += (stack.samples / samples) * seconds;
    }
  }
}

export function emptyNode(fn: number): TreeNode {
  return { fn, self: { A: 0, B: 0 }, children: new Map() };
}

function collect(runs: readonly SampledRun[]): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const { frames, stacks } of runs) {
    const keys = frames.map((frame) => functionKey(frame));
    for (const [at, frame] of frames.entries()) {
      if (!seen.has(keys[at] ?? '')) seen.set(keys[at] ?? '', { frame, callers: new Map() });
    }
    for (const stack of stacks) {
      for (const [depth, at] of stack.frames.entries()) {
        const caller = frames[stack.frames[depth - 1] ?? -1]?.name ?? '';
        const callers = seen.get(keys[at] ?? '')?.callers;
        callers?.set(caller, (callers.get(caller) ?? 0) + stack.samples);
      }
    }
  }
  return seen;
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
