import type { Params, Side } from '@deadheat/model';
import { HistogramStore } from './histogram-store.ts';
import { tooManyRuns } from './import-error.ts';
import { IterationList } from './iteration-list.ts';
import { oneSided, type ImportedBenchmark, type ImportedQuantity, type ImportedRun } from './imported-file.ts';

const chunkLength = 16;
const chunksPerBlock = 4096;
const firstCapacity = 1024;
const none = -1;

/** Each takes some 100 bytes, whatever it holds. */
const mostRuns = 2 ** 20;

/** Bytes that the numbers of one file may take: 12 Mi iterations, or half as many of which each tells its invocations. */
const mostBytes = 96 * 2 ** 20;

/**
 * The iterations of very many runs, which may come in any order, in a bounded amount of memory: 8 bytes an iteration (16
 * where they hold several invocations) and some 100 a run. When there are more iterations than fit, each two neighbours of
 * a run become one: an iteration of the time and the invocations of both. Means of runs stay what they are.
 */
export class RunStore {
  readonly #mostBytes: number;
  /** Chunks of iterations, 4096 in an array; those of a run are linked by `#next`. */
  readonly #durations: Float64Array[] = [];
  #invocations: Float64Array[] | null = null;
  #next = new Int32Array(firstCapacity);
  #chunks = 0;
  #free = none;
  /** By run: its first and last chunk, and how many entries they hold. */
  #first = new Int32Array(firstCapacity);
  #last = new Int32Array(firstCapacity);
  #lengths = new Uint32Array(firstCapacity);
  /** By run: what has not filled an entry yet, as time, invocations and iterations. */
  #openNs = new Float64Array(0);
  #openInvocations = new Float64Array(0);
  #openCount = new Uint32Array(0);
  #runs = 0;
  #entries = 0;
  #group = 1;
  /** Those of the invocations of iterations, as long as none were put together. */
  readonly histograms: HistogramStore = new HistogramStore();

  /** `mostBytes` for tests. */
  constructor(limits: { readonly mostBytes: number } = { mostBytes }) {
    this.#mostBytes = limits.mostBytes;
  }

  get runs(): number {
    return this.#runs;
  }

  /** How many iterations of the file an iteration here stands for; the last of a run may stand for fewer. */
  get group(): number {
    return this.#group;
  }

  /** Makes an empty run; gives its number. */
  addRun(): number {
    const run = this.#runs++;
    if (run === this.#first.length) {
      this.#first = resized(this.#first, 2 * run);
      this.#last = resized(this.#last, 2 * run);
      this.#lengths = resized(this.#lengths, 2 * run);
    }
    if (this.#group > 1 && run >= this.#openNs.length) this.#growOpen();
    this.#first[run] = none;
    this.#last[run] = none;
    return run;
  }

  /** Adds an iteration: its time, ns, with all of its invocations. */
  push(run: number, durationNs: number, invocations: number): void {
    if (invocations !== 1) {
      this.#invocations ??= this.#durations.map(({ length }) => new Float64Array(length).fill(this.#group));
    }
    if (this.#group === 1) {
      this.#append(run, durationNs, invocations);
    } else {
      const ns = (this.#openNs[run] ?? 0) + durationNs;
      const held = (this.#openInvocations[run] ?? 0) + invocations;
      const count = (this.#openCount[run] ?? 0) + 1;
      const isFull = count === this.#group;
      this.#openNs[run] = isFull ? 0 : ns;
      this.#openInvocations[run] = isFull ? 0 : held;
      this.#openCount[run] = isFull ? 0 : count;
      if (isFull) this.#append(run, ns, held);
    }
    if (this.#entries * (this.#invocations === null ? 8 : 16) > this.#mostBytes) this.#halve();
  }

  /** The iterations of a run, made anew at every call; with their histograms as long as none were put together. */
  iterationsOf(run: number): IterationList {
    const open = this.#group === 1 ? 0 : (this.#openCount[run] ?? 0);
    const entries = this.#lengths[run] ?? 0;
    const length = entries + (open > 0 ? 1 : 0);
    const isPlain = this.#group === 1 && this.#invocations === null;
    const durations = new Float64Array(length);
    const held = isPlain ? null : new Float64Array(length).fill(this.#group);
    let chunk = this.#first[run] ?? none;
    for (let at = 0; at < entries; at += chunkLength) {
      const count = Math.min(chunkLength, entries - at);
      durations.set(part(this.#durations, chunk, count), at);
      if (this.#invocations !== null) held?.set(part(this.#invocations, chunk, count), at);
      chunk = this.#next[chunk] ?? none;
    }
    if (open > 0) {
      durations[entries] = this.#openNs[run] ?? 0;
      if (held !== null) held[entries] = this.#openInvocations[run] ?? 0;
    }
    const list = IterationList.of(durations, held);
    const histograms = this.histograms.of(run);
    if (histograms !== undefined) list.setHistograms(histograms);
    return list;
  }

  #append(run: number, durationNs: number, invocations: number): void {
    const length = this.#lengths[run] ?? 0;
    const within = length % chunkLength;
    if (within === 0) this.#link(run);
    const chunk = this.#last[run] ?? 0;
    const at = placeOf(chunk) + within;
    blockOf(this.#durations, chunk)[at] = durationNs;
    if (this.#invocations !== null) blockOf(this.#invocations, chunk)[at] = invocations;
    this.#lengths[run] = length + 1;
    this.#entries += 1;
  }

  /** Gives a run one more chunk. */
  #link(run: number): void {
    let chunk = this.#free;
    if (chunk !== none) {
      this.#free = this.#next[chunk] ?? none;
    } else {
      chunk = this.#chunks++;
      if (chunk === this.#next.length) this.#next = resized(this.#next, 2 * chunk);
      if (chunk % chunksPerBlock === 0) {
        this.#durations.push(new Float64Array(chunksPerBlock * chunkLength));
        this.#invocations?.push(new Float64Array(chunksPerBlock * chunkLength));
      }
    }
    this.#next[chunk] = none;
    const last = this.#last[run] ?? none;
    if (last === none) this.#first[run] = chunk;
    else this.#next[last] = chunk;
    this.#last[run] = chunk;
  }

  #growOpen(): void {
    const { length } = this.#first;
    this.#openNs = resized(this.#openNs, length);
    this.#openInvocations = resized(this.#openInvocations, length);
    this.#openCount = resized(this.#openCount, length);
  }

  #halve(): void {
    this.histograms.drop();
    this.#growOpen();
    this.#entries = 0;
    for (let run = 0; run < this.#runs; run++) this.#halveRun(run);
    this.#group *= 2;
  }

  #halveRun(run: number): void {
    const length = this.#lengths[run] ?? 0;
    if (length === 0) return;
    const kept = length >>> 1;
    let from = this.#first[run] ?? none;
    let to = from;
    for (let at = 0; at < length; at += 2) {
      if (at > 0 && at % chunkLength === 0) from = this.#next[from] ?? none;
      const place = placeOf(from) + (at % chunkLength);
      const durations = blockOf(this.#durations, from);
      const invocations = this.#invocations === null ? null : blockOf(this.#invocations, from);
      if (at + 1 === length) {
        this.#openNs[run] = (this.#openNs[run] ?? 0) + (durations[place] ?? 0);
        this.#openInvocations[run] = (this.#openInvocations[run] ?? 0) + (invocations?.[place] ?? this.#group);
        this.#openCount[run] = (this.#openCount[run] ?? 0) + this.#group;
        break;
      }
      const half = at / 2;
      if (half > 0 && half % chunkLength === 0) to = this.#next[to] ?? none;
      const target = placeOf(to) + (half % chunkLength);
      blockOf(this.#durations, to)[target] = (durations[place] ?? 0) + (durations[place + 1] ?? 0);
      if (this.#invocations !== null && invocations !== null) {
        blockOf(this.#invocations, to)[target] = (invocations[place] ?? 0) + (invocations[place + 1] ?? 0);
      }
    }
    this.#cutAfter(run, kept === 0 ? none : to);
    this.#lengths[run] = kept;
    this.#entries += kept;
  }

  /** Lets a run end with a chunk (`none` = it has no more), and has the others used again. */
  #cutAfter(run: number, chunk: number): void {
    const first = chunk === none ? (this.#first[run] ?? none) : (this.#next[chunk] ?? none);
    const last = this.#last[run] ?? none;
    if (first !== none) {
      this.#next[last] = this.#free;
      this.#free = first;
    }
    if (chunk === none) this.#first[run] = none;
    else this.#next[chunk] = none;
    this.#last[run] = chunk;
  }
}

/**
 * To be called before a run is added.
 *
 * @throws ImportError `TOO_LARGE` when there are 1 Mi of them
 */
export function checkRuns({ runs }: RunStore, path: string): void {
  if (runs < mostRuns) return;
  throw tooManyRuns(mostRuns, path);
}

const nothing = new Float64Array(0);
function blockOf(blocks: readonly Float64Array[], chunk: number): Float64Array {
  return blocks[Math.floor(chunk / chunksPerBlock)] ?? nothing;
}
/** Where a chunk begins in its block. */
function placeOf(chunk: number): number {
  return (chunk % chunksPerBlock) * chunkLength;
}

function part(blocks: readonly Float64Array[], chunk: number, count: number): Float64Array {
  const at = placeOf(chunk);
  return blockOf(blocks, chunk).subarray(at, at + count);
}

function resized<Values extends Float64Array | Int32Array | Uint32Array>(values: Values, length: number): Values {
  const all = new (values.constructor as new (length: number) => Values)(length);
  all.set(values);
  return all;
}

class StoredRun implements ImportedRun {
  readonly label: string;
  readonly #store: RunStore;
  readonly #run: number;

  constructor(label: string, store: RunStore, run: number) {
    this.label = label;
    this.#store = store;
    this.#run = run;
  }

  get iterations(): IterationList {
    return this.#store.iterationsOf(this.#run);
  }
}

/** A benchmark whose runs lie in a store: they are made anew whenever they are asked for, so that a large file stays small. */
export class StoredBenchmark implements ImportedBenchmark {
  readonly name: string;
  readonly params: Params;
  readonly side: Side | null;
  readonly method = null;
  readonly mode: string | null;
  readonly conditions: Params;
  readonly files = 1;
  readonly timedBy = null;
  readonly summary = null;
  readonly quantities: readonly ImportedQuantity[];
  readonly #store: RunStore;
  readonly #places: Iterable<readonly [label: string, run: number]>;

  constructor(
    facts: Pick<ImportedBenchmark, 'name' | 'params' | 'side' | 'mode' | 'conditions' | 'quantities'>,
    /** Runs of the store, by what the file calls them; to be gone through more than once. */
    { store, places }: { readonly store: RunStore; readonly places: Iterable<readonly [label: string, run: number]> },
  ) {
    this.name = facts.name;
    this.params = facts.params;
    this.side = facts.side;
    this.mode = facts.mode;
    this.conditions = facts.conditions;
    this.quantities = facts.quantities ?? [];
    this.#store = store;
    this.#places = places;
  }

  get runs(): readonly ImportedRun[] {
    return Array.from(this.#places, ([label, run]) => new StoredRun(label, this.#store, run));
  }
}

/**
 * The runs of a benchmark whose every time is a run of its own, in 8 bytes each. Of more than 1 Mi each two that follow each other become one,
 * with one iteration of the time and the invocations of both: their mean stays what it is.
 */
export class SingleRuns {
  readonly #times = new IterationList();
  readonly #mostRuns: number;

  /** `mostRuns` for tests. */
  constructor(limits: { readonly mostRuns: number } = { mostRuns }) {
    this.#mostRuns = limits.mostRuns;
  }

  /** How many runs of the file a run here stands for; the last may stand for fewer. */
  get group(): number {
    return this.#times.group;
  }

  /** Adds a run: its time and, where it is known, its CPU time, ns. To be called before the benchmark is asked for. */
  push(durationNs: number, cpuNs: number | null = null): void {
    const times = this.#times;
    times.push({ durationNs });
    if (cpuNs !== null) times.setMetric('c', cpuNs);
    if (times.length > this.#mostRuns) times.halve();
  }

  /** A benchmark of one side with these runs, called by their numbers from 0. Their iterations are made anew whenever they are asked for. */
  benchmark(facts: { readonly name: string; readonly params?: Params }): ImportedBenchmark {
    const times = this.#times;
    return oneSided({ ...facts, runs: Array.from({ length: times.length }, (_, run) => new SingleRun(times, run)) });
  }
}

class SingleRun implements ImportedRun {
  readonly #times: IterationList;
  readonly #run: number;

  constructor(times: IterationList, run: number) {
    this.#times = times;
    this.#run = run;
  }

  get label(): string {
    return String(this.#run);
  }

  get iterations(): IterationList {
    const iterations = new IterationList();
    const cpuNs = this.#times.metric('c');
    const invocations = this.#times.metric('n')?.[this.#run] ?? 1;
    iterations.push({ durationNs: this.#times.durationsNs[this.#run] ?? 0, invocations });
    if (cpuNs !== null) iterations.setMetric('c', cpuNs[this.#run] ?? Number.NaN);
    return iterations;
  }
}

/** Runs of a store that follow each other, called by their numbers from 0. */
export class RunsInRow {
  readonly #first: number;
  readonly #end: number;

  constructor(first: number, end: number) {
    this.#first = first;
    this.#end = end;
  }

  *[Symbol.iterator](): Generator<readonly [string, number]> {
    for (let run = this.#first; run < this.#end; run++) yield [String(run - this.#first), run];
  }
}
