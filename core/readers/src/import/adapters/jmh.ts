import { studentTQuantile } from '@deadheat/stats';
import type { Adapter } from '../adapter.ts';
import { hasKeys } from '../import-source.ts';
import { JsonNode } from '../json/json-node.ts';
import { readJson } from '../json/json-tree.ts';
import { invocationsMerged, iterationsMerged, rateInverted } from '../limits.ts';
import { RunStore } from '../run-store.ts';
import { JmhResult, type JmhResults, threadsParam } from './jmh-result.ts';
import { type ImportedBenchmark, oneSided, summaryOf } from '../imported-file.ts';
import { readCsvBatches } from '../text/read-csv.ts';
import { scoreUnit } from '../units.ts';

const advice = 'Write it with JMH: -rf json -rff FILE.';

/**
 * JMH's JSON: a fork is a run. Scores become the time of one operation; a sampled iteration is the mean of its
 * histogram. How many operations another iteration held is not in the file. Source: `JSONResultFormat.java`.
 */
export const jmh: Adapter = {
  id: 'jmh',
  describe: 'JMH -rf json',
  reads:
    'a fork is a run; mode and threads are parameters; in sample mode an iteration is the mean of its histogram; a rate becomes a time; secondary metrics are compared, too',
  cannot: ['NO_TIMESTAMPS', 'NO_RUN_VARIANCE', 'RATE_INVERTED', 'ITERATIONS_MERGED'],
  holdsWarmup: false,
  detect: (head) => head.first === '[' && hasKeys(head, 'jmhVersion', 'benchmark'),
  read: async (source, { histograms = false }) => {
    const { path } = source;
    const results: JmhResults = { path, store: new RunStore(), benchmarks: [], histograms, hasRate: false };
    const top = new JsonNode(null, { path, advice });
    const root = await readJson(source, {
      advice,
      reduce: (place, kind) => {
        const [key] = place;
        if (place.length !== 1 || kind !== 'object' || key === undefined) return null;
        return new JmhResult(results, (value) => new JsonNode(value, { path, advice }, { parent: top, key }));
      },
    });
    for (const item of root.items()) if (item.value !== true) throw item.error('an object');
    const { benchmarks, store, hasRate } = results;
    return {
      benchmarks,
      limits: [
        ...(hasRate ? [rateInverted(path)] : []),
        ...iterationsMerged(path, store.group),
        ...(histograms && store.group === 1 ? invocationsMerged(path, store.histograms.precision) : []),
      ],
    };
  },
};

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
  holdsWarmup: false,
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
    for await (const rows of readCsvBatches(source, { separator: [',', ';'], advice: csvAdvice, required: columns }))
      for (const row of rows) {
        const ownUnit = row.text('Unit');
        if (ownUnit !== unitText) unit = scoreUnit((unitText = ownUnit));
        const name = row.text('Benchmark');
        // Secondary metrics (allocation rates and the like) have rows of their own.
        if (unit === null || name.includes(':')) continue;
        hasRate ||= unit.isRate;
        const score = row.amount('Score');
        const samples = row.amount('Samples');
        if (!Number.isInteger(samples) || samples < 1) throw row.error('Samples', 'a whole number of at least 1');
        const meanNs = unit.isRate ? unit.nsPerUnit / score : score * unit.nsPerUnit;
        if (!Number.isFinite(meanNs) || meanNs <= 0) throw row.error('Score', 'a finite score above 0');
        const deviation = deviationOf(row.amountOrNull(errorColumn), samples);
        const mode = row.text('Mode');
        const params: Record<string, string> = { mode, ...threadsParam(row.amount('Threads')) };
        for (const column of row.columns) {
          const value = column.startsWith(parameter) ? row.text(column) : '';
          if (value !== '') params[column.slice(parameter.length)] = value;
        }
        // To first order a rate and its inverse have the same relative deviation.
        const standardDeviationNs = deviation === null ? null : (deviation / score) * meanNs;
        benchmarks.push(oneSided({ name, params, mode, summary: summaryOf({ meanNs, standardDeviationNs, samples }) }));
      }
    return { benchmarks, limits: hasRate ? [rateInverted(source.path)] : [] };
  },
};
