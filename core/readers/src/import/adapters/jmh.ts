import type { InvocationCounts, Params } from '@deadheat/model';
import { mean, studentTQuantile } from '@deadheat/stats';
import type { Adapter } from '../adapter.ts';
import { jsonAdapter } from '../json/json-adapter.ts';
import type { JsonNode } from '../json/read-json.ts';
import { checkRuns } from '../import-error.ts';
import { hasKeys } from '../import-source.ts';
import {
  type ImportedBenchmark,
  type ImportedQuantity,
  type ImportedRun,
  oneSided,
  paramUnlessOne,
  summaryOf,
} from '../imported-file.ts';
import { IterationList } from '../iteration-list.ts';
import { rateInverted } from '../limits.ts';
import { readCsv } from '../text/read-csv.ts';
import { nsPer, scoreUnit, type ScoreUnit } from '../../grammar/units.ts';

const advice = 'Write it with JMH: -rf json -rff FILE.';

/**
 * JMH's JSON: a fork is a run. Scores become the time of one operation; a sampled iteration is the mean of its
 * histogram. How many operations another iteration held is not in the file. Source: `JSONResultFormat.java`.
 */
export const jmh: Adapter = jsonAdapter({
  id: 'jmh',
  describe: 'JMH -rf json',
  reads:
    'a fork is a run; mode and threads are parameters; in sample mode an iteration is the mean of its histogram; a rate becomes a time; secondary metrics are compared, too',
  cannot: ['NO_TIMESTAMPS', 'NO_RUN_VARIANCE', 'RATE_INVERTED'],
  detect: (head) => head.first === '[' && hasKeys(head, 'jmhVersion', 'benchmark'),
  advice,
  read: (root, { path }, { histograms = false }) => {
    let hasRate = false;
    let runs = 0;
    const results = root.items();
    const benchmarks = results.map((result): ImportedBenchmark => {
      const metric = result.get('primaryMetric');
      const unitNode = metric.get('scoreUnit');
      const unit = scoreUnit(unitNode.text());
      if (unit === null) throw unitNode.error('a time an operation such as ns/op, or a rate such as ops/ms');
      hasRate ||= unit.isRate;
      const sampled = metric.maybe('rawDataHistogram');
      const scores = sampled ?? metric.get('rawData');
      runs += scores.count();
      checkRuns(runs, path);
      const own = runsOf(scores, unit, { isHistogram: sampled !== null, keepsHistograms: histograms });
      const mode = result.maybe('mode')?.text() ?? null;
      return {
        ...oneSided({ name: result.get('benchmark').text(), params: paramsOf(result, mode), mode, runs: own }),
        conditions: conditionsOf(result),
        quantities: quantitiesOf(result),
      };
    });
    return { benchmarks, limits: hasRate ? [rateInverted(path)] : [] };
  },
});

/** The runs of `rawData` ([fork][iteration] of scores) or `rawDataHistogram` ([fork][iteration] of [score, count]); forks without iterations are none. */
function runsOf(
  scores: JsonNode,
  unit: ScoreUnit,
  { isHistogram, keepsHistograms }: { readonly isHistogram: boolean; readonly keepsHistograms: boolean },
): readonly ImportedRun[] {
  const runs: ImportedRun[] = [];
  for (const { value: fork } of scores.items()) {
    const list = new IterationList();
    const kept: InvocationCounts[] = [];
    for (const iteration of listOf(fork) ?? [null]) {
      const sampled = isHistogram ? histogramOf(iteration, unit) : null;
      const count = isHistogram ? (sampled?.count ?? 0) : 1;
      const score = isHistogram ? (sampled?.mean ?? Number.NaN) : iteration;
      const ns =
        typeof score === 'number' ? (unit.isRate ? unit.nsPerUnit / score : score * unit.nsPerUnit) * count : -1;
      if (!(ns >= 0 && ns < Infinity && count > 0))
        throw scores.error('finite scores of at least 0, above 0 for a rate');
      list.push({ durationNs: ns, invocations: count });
      if (keepsHistograms && sampled !== null && !unit.isRate) kept.push(sampled.counts());
    }
    if (kept.length > 0) list.setHistograms(kept);
    if (list.length > 0) runs.push({ label: String(runs.length), iterations: list });
  }
  return runs;
}

function listOf(value: unknown): readonly unknown[] | null {
  return Array.isArray(value) ? (value as readonly unknown[]) : null;
}

/** The histogram of an iteration; `null` for what is none. */
function histogramOf(
  value: unknown,
  { nsPerUnit }: ScoreUnit,
): { readonly mean: number; readonly count: number; readonly counts: () => InvocationCounts } | null {
  const pairs: (readonly [score: number, count: number])[] = [];
  let [sum, count] = [0, 0];
  for (const pair of listOf(value) ?? []) {
    const [score, held, ...rest] = listOf(pair) ?? [];
    if (typeof score !== 'number' || typeof held !== 'number' || rest.length > 0) return null;
    pairs.push([score, held]);
    sum += score * held;
    count += held;
  }
  return {
    mean: sum / count,
    count,
    counts: () => {
      const counted = new Map<number, number>();
      for (const [score, held] of pairs) counted.set(score, (counted.get(score) ?? 0) + held);
      const sorted = [...counted].toSorted(([left], [right]) => left - right);
      return {
        values: Float64Array.from(sorted, ([score]) => score * nsPerUnit),
        counts: Float64Array.from(sorted, ([, held]) => held),
      };
    },
  };
}

/** Parameters that distinguish two results of JMH: the mode, the threads and the calls of an operation where there are several, and the benchmark's own. */
function paramsOf(result: JsonNode, mode: string | null): Params {
  const threads = paramUnlessOne('threads', result.maybe('threads')?.whole() ?? 1);
  const batch = paramUnlessOne('batch', result.maybe('measurementBatchSize')?.whole() ?? 1);
  return { ...(mode === null ? {} : { mode }), ...threads, ...batch, ...result.maybe('params')?.params() };
}

function conditionsOf(result: JsonNode): Params {
  const args = result.maybe('jvmArgs')?.items() ?? [];
  return args.length === 0 ? {} : { jvmArgs: args.map((arg) => arg.text()).join(' ') };
}

/** Percentiles of the sampled times, which are no quantities of their own. */
const percentile = /[:\u00b7]p\d/;

/** The secondary metrics: a value a fork, the mean of its iterations; of a single fork those themselves. */
function quantitiesOf(result: JsonNode): readonly ImportedQuantity[] {
  return (result.maybe('secondaryMetrics')?.entries() ?? []).flatMap(([name, metric]) => {
    if (percentile.test(name)) return [];
    const forks = (metric.maybe('rawData')?.items() ?? [])
      .map((fork) => fork.items().flatMap((score) => score.numberOrNull() ?? []))
      .filter((scores) => scores.length > 0);
    if (forks.length === 0) return [];
    const values = forks.length === 1 ? forks.flat() : forks.map((scores) => mean(scores));
    const text = metric.maybe('scoreUnit')?.textOrNull() ?? null;
    const known = scoreUnit(text ?? '');
    const [unit, factor] =
      known === null ? [text, 1] : known.isRate ? ['ops/s', nsPer.s / known.nsPerUnit] : ['ns/op', known.nsPerUnit];
    // Profilers of JMH before 1.36 put a middle dot before their names.
    return [{ name: name.replace(/^\u00b7/, ''), unit, values: values.map((value) => value * factor) }];
  });
}

const csvAdvice = 'Write it with JMH: -rf csv -rff FILE, or better -rf json, which keeps every iteration.';
const errorColumn = 'Score Error (99.9%)';
const columns = ['Benchmark', 'Mode', 'Threads', 'Samples', 'Score', errorColumn, 'Unit'];
const parameter = 'Param: ';

/**
 * Standard deviation of the samples from the half-width of JMH's interval, which is t times the standard error; `null`
 * where there is none (a single sample). Most rows of a file have as many samples as others, whose quantiles are kept.
 */
function deviationReader(): (error: number | null, samples: number) => number | null {
  const quantiles = new Map<number, number>();
  return (error, samples) => {
    if (error === null || samples < 2) return null;
    const quantile = quantiles.get(samples) ?? studentTQuantile(0.9995, samples - 1);
    if (quantiles.size < mostQuantiles) quantiles.set(samples, quantile);
    return (error * Math.sqrt(samples)) / quantile;
  };
}
const mostQuantiles = 1000;

/** JMH's table of scores, separated by commas or semicolons: means only. Source: `XSVResultFormat.java`. */
export const jmhCsv: Adapter = {
  id: 'jmh-csv',
  describe: 'JMH -rf csv or scsv',
  reads:
    'means; mode and threads are parameters; the standard deviation follows from the score error; a rate becomes a time',
  cannot: ['SUMMARY_ONLY', 'NO_RUN_VARIANCE', 'RATE_INVERTED', 'FAILED_RUNS_IGNORED'],
  detect: ({ lines }) => {
    const names = (lines[0] ?? '').replaceAll('"', '').split(/[,;]/);
    return columns.every((column) => names.includes(column));
  },
  read: async (source) => {
    const benchmarks: ImportedBenchmark[] = [];
    const deviationOf = deviationReader();
    let hasRate = false;
    let unit: ReturnType<typeof scoreUnit> = null;
    let unitText: string | null = null;
    const table = { separator: [',', ';'], advice: csvAdvice, required: columns, hasDecimalComma: true };
    await readCsv(source, table, (row) => {
      const ownUnit = row.text('Unit');
      if (ownUnit !== unitText) unit = scoreUnit((unitText = ownUnit));
      const name = row.text('Benchmark');
      // Secondary metrics (allocation rates and the like) have rows of their own.
      if (name.includes(':')) return;
      if (unit === null || !row.isWhole)
        throw row.error('Unit', 'a time an operation such as ns/op, or a rate such as ops/ms');
      hasRate ||= unit.isRate;
      const score = row.amount('Score');
      const samples = row.amount('Samples');
      if (!Number.isInteger(samples) || samples < 1) throw row.error('Samples', 'a whole number of at least 1');
      const meanNs = unit.isRate ? unit.nsPerUnit / score : score * unit.nsPerUnit;
      if (!Number.isFinite(meanNs) || meanNs <= 0) throw row.error('Score', 'a finite score above 0');
      const deviation = deviationOf(row.amountOrNull(errorColumn), samples);
      const mode = row.text('Mode');
      const params: Record<string, string> = { mode, ...paramUnlessOne('threads', row.amount('Threads')) };
      for (const column of row.columns) {
        const value = column.startsWith(parameter) ? row.text(column) : '';
        if (value !== '') params[column.slice(parameter.length)] = value;
      }
      // To first order a rate and its inverse have the same relative deviation.
      const standardDeviationNs = deviation === null ? null : (deviation / score) * meanNs;
      benchmarks.push(oneSided({ name, params, mode, summary: summaryOf({ meanNs, standardDeviationNs, samples }) }));
    });
    return { benchmarks, limits: hasRate ? [rateInverted(source.path)] : [] };
  },
};
