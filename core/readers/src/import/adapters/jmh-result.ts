import type { Params } from '@deadheat/model';
import { mean } from '@deadheat/stats';
import type { ImportedBenchmark, ImportedQuantity } from '../imported-file.ts';
import type { JsonNode } from '../json/json-node.ts';
import type { JsonPath, JsonReducer } from '../json/json-tokenizer.ts';
import { JsonTree } from '../json/json-tree.ts';
import { checkRuns, RunsInRow, type RunStore, StoredBenchmark } from '../run-store.ts';
import { scoreUnit, type ScoreUnit } from '../units.ts';

/** What of a result is kept while it is read. */
const wanted: ReadonlySet<string> = new Set([
  'benchmark',
  'mode',
  'threads',
  'jvmArgs',
  'params',
  'primaryMetric',
  'primaryMetric.scoreUnit',
  'primaryMetric.rawData',
  'primaryMetric.rawDataHistogram',
]);
const wantedOfSecondary: ReadonlySet<unknown> = new Set(['scoreUnit', 'rawData']);
/** Percentiles of the sampled times, which are no quantities of their own. */
const percentile = /[:\u00b7]p\d/;

function isWanted(path: JsonPath): boolean {
  if (path[0] === 'secondaryMetrics') {
    const [, name = '', part] = path;
    return !percentile.test(String(name)) && (part === undefined || wantedOfSecondary.has(part));
  }
  return (
    path[0] === 'params' || path[0] === 'jvmArgs' || wanted.has(path.length === 1 ? String(path[0]) : path.join('.'))
  );
}

const scores = ['rawDataHistogram', 'rawData'] as const;

/** What tells two results of JMH apart: the mode, the threads where there are several, and the benchmark's own parameters. */
function paramsOf(result: JsonNode): Params {
  const mode = result.maybe('mode')?.text() ?? null;
  const threads = threadsParam(result.maybe('threads')?.whole() ?? 1);
  return { ...(mode === null ? none : { mode }), ...threads, ...(result.maybe('params')?.params() ?? none) };
}

/** The parameter of the threads; one is none. */
export function threadsParam(threads: number): Params {
  return threads === 1 ? none : { threads: String(threads) };
}

function conditionsOf(result: JsonNode): Params {
  const args = result.maybe('jvmArgs')?.items() ?? [];
  return args.length === 0 ? none : { jvmArgs: args.map((arg) => arg.text()).join(' ') };
}

const none: Params = {};

/** The secondary metrics: a value a fork, the mean of its iterations; of a single fork those themselves. */
function quantitiesOf(result: JsonNode): readonly ImportedQuantity[] {
  return (result.maybe('secondaryMetrics')?.entries() ?? []).flatMap(([name, metric]) => {
    const forks = (metric.maybe('rawData')?.items() ?? [])
      .map((fork) => fork.items().flatMap((score) => score.numberOrNull() ?? []))
      .filter((scores) => scores.length > 0);
    if (forks.length === 0) return [];
    const values = forks.length === 1 ? forks.flat() : forks.map((scores) => mean(scores));
    const unit = metric.maybe('scoreUnit')?.textOrNull() ?? null;
    // Profilers of JMH before 1.36 put a middle dot before their names.
    return [{ name: name.replace(/^\u00b7/, ''), unit, values }];
  });
}

/** Where the results of a file go. */
export interface JmhResults {
  readonly path: string;
  readonly store: RunStore;
  readonly benchmarks: ImportedBenchmark[];
  /** Whether histograms are kept. */
  readonly histograms: boolean;
  /** Whether a score was operations in a time. */
  hasRate: boolean;
}

/** One of JMH's results: its iterations go into a store as they come, most of the rest is passed over. */
export class JmhResult implements JsonReducer {
  readonly #results: JmhResults;
  readonly #nodeOf: (value: unknown) => JsonNode;
  readonly #tree: JsonTree;
  readonly #firstRun: number;
  #unit: ScoreUnit | null = null;
  /** What takes the scores, while they are read: they are most of a file, and do not go through the tree. */
  #scores: JmhScores | null = null;
  #depthInScores = 0;
  #isInFork = false;
  #isBad = false;
  /** Every iteration, by fork: where the unit stands behind the scores. */
  #waiting: JmhIteration[][] | null = null;

  /** `nodeOf` gives the result its place in the file. */
  constructor(results: JmhResults, nodeOf: (value: unknown) => JsonNode) {
    this.#results = results;
    this.#nodeOf = nodeOf;
    this.#firstRun = results.store.runs;
    this.#tree = new JsonTree(
      (path) =>
        path.length === 2 && path[0] === 'primaryMetric' && path[1] !== 'scoreUnit'
          ? this.#reader(path[1] === 'rawDataHistogram')
          : null,
      isWanted,
    );
    this.#tree.open('object');
  }

  readonly open = (kind: 'object' | 'array'): void => {
    if (this.#scores === null) {
      this.#tree.open(kind);
      return;
    }
    this.#depthInScores += 1;
    this.#scores.open();
  };

  readonly close = (): void => {
    if (this.#scores !== null && this.#depthInScores > 0) {
      this.#depthInScores -= 1;
      this.#scores.close();
      return;
    }
    this.#scores = null;
    this.#tree.close();
  };

  readonly key = (name: string): void => {
    if (this.#scores === null) this.#tree.key(name);
    else this.#scores.key();
  };

  readonly value = (value: string | number | boolean | null): void => {
    if (this.#scores !== null) {
      this.#scores.value(value);
      return;
    }
    const { path } = this.#tree;
    if (path[1] === 'scoreUnit' && path.length === 2 && path[0] === 'primaryMetric' && typeof value === 'string') {
      this.#unit = scoreUnit(value);
    }
    this.#tree.value(value);
  };

  readonly finish = (): true => {
    this.#tree.close();
    const result = this.#nodeOf(this.#tree.result);
    const metric = result.get('primaryMetric');
    const unitNode = metric.get('scoreUnit');
    unitNode.text();
    if (this.#unit === null) throw unitNode.error('a time an operation such as ns/op, or a rate such as ops/ms');
    for (const fork of this.#waiting ?? []) {
      this.#isInFork = false;
      for (const iteration of fork) this.#push(this.#unit, iteration);
    }
    const node = metric.get(metric.get(scores[0]).isNothing ? scores[1] : scores[0]);
    if (!(node.value instanceof JmhScores)) throw node.error('an array');
    if (this.#isBad) throw node.error('finite scores of at least 0, above 0 for a rate');
    const { store, benchmarks } = this.#results;
    const name = result.get('benchmark').text();
    this.#results.hasRate ||= this.#unit.isRate;
    benchmarks.push(
      new StoredBenchmark(
        {
          name,
          params: paramsOf(result),
          side: null,
          mode: result.maybe('mode')?.text() ?? null,
          conditions: conditionsOf(result),
          quantities: quantitiesOf(result),
        },
        { store, places: new RunsInRow(this.#firstRun, store.runs) },
      ),
    );
    return true;
  };

  #reader(isHistogram: boolean): JmhScores {
    if (this.#unit === null) this.#waiting = [];
    this.#depthInScores = 0;
    this.#scores = new JmhScores(isHistogram, {
      keeps: isHistogram && this.#results.histograms,
      fork: () => {
        this.#isInFork = false;
        this.#waiting?.push([]);
      },
      iteration: (iteration) => {
        if (this.#unit === null || this.#waiting !== null) this.#waiting?.at(-1)?.push(iteration);
        else this.#push(this.#unit, iteration);
      },
    });
    return this.#scores;
  }

  #push({ isRate, nsPerUnit }: ScoreUnit, { mean: score, count, pairs }: JmhIteration): void {
    const { store, path } = this.#results;
    const ns = (isRate ? nsPerUnit / score : score * nsPerUnit) * count;
    if (!(ns >= 0) || ns === Number.POSITIVE_INFINITY || !(count > 0)) {
      this.#isBad = true;
      return;
    }
    if (!this.#isInFork) {
      checkRuns(store, path);
      store.addRun();
      this.#isInFork = true;
    }
    if (pairs !== null && !isRate) store.histograms.keep(store.runs - 1, pairs, nsPerUnit);
    store.push(store.runs - 1, ns, count);
  }
}

/** What is known of an iteration. */
interface JmhIteration {
  /** Mean score. */
  readonly mean: number;
  /** Samples behind it: 1 outside of the sample mode. */
  readonly count: number;
  /** Score and count in turn, where histograms are kept. */
  readonly pairs: readonly number[] | null;
}

/** Takes the iterations of forks, in their order. */
interface ForkSink {
  /** Whether histograms are kept. */
  readonly keeps: boolean;
  /** A fork begins. */
  readonly fork: () => void;
  readonly iteration: (iteration: JmhIteration) => void;
}

/**
 * JMH's `rawData` ([fork][iteration] of scores) or `rawDataHistogram` ([fork][iteration] of [value, count]) without
 * building it. Texts (`"NaN"`) and anything that has another shape become NaN, which the sink has to refuse.
 */
class JmhScores implements JsonReducer {
  readonly #isHistogram: boolean;
  readonly #sink: ForkSink;
  #depth = 0;
  #sum = 0;
  #count = 0;
  #value: number | null = null;
  #pairs: number[] | null = null;

  constructor(isHistogram: boolean, sink: ForkSink) {
    this.#isHistogram = isHistogram;
    this.#sink = sink;
  }

  readonly open = (): void => {
    this.#depth += 1;
    if (this.#depth === 1) this.#sink.fork();
    if (this.#depth === 2) {
      this.#sum = 0;
      this.#count = 0;
      this.#pairs = this.#sink.keeps ? [] : null;
    }
    this.#value = null;
  };

  readonly close = (): void => {
    if (this.#depth === 2) {
      this.#sink.iteration({ mean: this.#sum / this.#count, count: this.#count, pairs: this.#pairs });
    }
    this.#depth -= 1;
  };

  readonly key = (): void => {
    this.#sum = Number.NaN;
  };

  readonly value = (found: string | number | boolean | null): void => {
    const number = typeof found === 'number' ? found : Number.NaN;
    if (!this.#isHistogram) {
      this.#sink.iteration({ mean: this.#depth === 1 ? number : Number.NaN, count: 1, pairs: null });
    } else if (this.#depth !== 3) {
      this.#sum = Number.NaN;
    } else if (this.#value === null) {
      this.#value = number;
    } else {
      this.#sum += this.#value * number;
      this.#count += number;
      this.#pairs?.push(this.#value, number);
    }
  };

  readonly finish = (): this => this;
}
