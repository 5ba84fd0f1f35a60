import type { TimesSummary } from '@deadheat/analysis';
import type { Warning } from '@deadheat/model';
import { median } from '@deadheat/stats';
import type { Adapter, Reading } from '../adapter.ts';
import { jsonAdapter } from '../json/json-adapter.ts';
import type { JsonNode } from '../json/read-json.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { type GoogleAggregate, googleAggregates } from '../../grammar/lines.ts';
import { hasKeys } from '../import-source.ts';
import { type ImportedBenchmark, oneSided, summaryOf } from '../imported-file.ts';
import { entriesLeftOut } from '../limits.ts';
import { type CsvRow, readCsv } from '../text/read-csv.ts';
import { nsPerUnit } from '../../grammar/units.ts';

const advice = 'Write it with --benchmark_format=json or --benchmark_out=FILE.';

/** A repetition: times of one invocation, ns. */
interface Repetition {
  readonly name: string;
  readonly invocations: number;
  readonly realNs: number;
  readonly cpuNs: number | null;
}

/** Statistics over all repetitions, which are all there is with `--benchmark_report_aggregates_only`. */
interface Aggregate {
  readonly name: string;
  readonly statistic: string;
  readonly repetitions: number | null;
  readonly realNs: number;
}

/** From this ratio on somebody else had the core, or the benchmark waits: what its own clock says and what passed are two things. */
const muchReal = 1.5;
/** Repetitions of a benchmark by which its ratio is known. */
const mostRatios = 10_000;
/** A benchmark whose time is to be the real one, or one that it measured itself, says so in its name; CPU time of threads adds up. */
const byRealTime = /\/(?:real_time|manual_time|process_time)(?:\/|$)|\/threads:(?!1(?:\/|$))/;

/** Collects the rows of one process. */
class Rows {
  readonly #path: string;
  readonly #set: BenchmarkSet;
  readonly #ratios = new Map<string, number[]>();
  readonly #aggregates = new Map<string, Aggregate[]>();
  failed = 0;

  constructor(path: string) {
    this.#path = path;
    this.#set = new BenchmarkSet(path);
  }

  repetition({ name, invocations, realNs, cpuNs }: Repetition): void {
    const iterations = this.#set.run({ name }, '0');
    iterations.push({ durationNs: realNs * invocations, invocations });
    if (cpuNs === null) return;
    iterations.setMetric('c', cpuNs * invocations);
    let ratios = this.#ratios.get(name);
    if (ratios === undefined) {
      ratios = [];
      this.#ratios.set(name, ratios);
    }
    if (cpuNs > 0 && ratios.length < mostRatios) ratios.push(realNs / cpuNs);
  }

  aggregate(found: Aggregate): void {
    this.#aggregates.set(found.name, [...(this.#aggregates.get(found.name) ?? []), found]);
  }

  finish(): Reading {
    const timed = this.#set.benchmarks().map((benchmark) => {
      const ratio = this.#ratioOf(benchmark.name);
      return ratio === null ? benchmark : { ...benchmark, timedBy: 'cpu' as const };
    });
    const names = new Set(timed.map(({ name }) => name));
    const means = [...this.#aggregates].flatMap(([name, all]): ImportedBenchmark[] => {
      const summary = names.has(name) ? null : summaryOfAggregates(all);
      return summary === null ? [] : [oneSided({ name, summary })];
    });
    const byCpu = timed.filter(({ timedBy }) => timedBy === 'cpu').map(({ name }) => name);
    return {
      benchmarks: [...timed, ...means],
      limits: [
        ...entriesLeftOut(this.failed, 'Google Benchmark marked them as failed or skipped'),
        ...(byCpu.length === 0 ? [] : [this.#cpuTimeTaken(byCpu)]),
      ],
    };
  }

  /** Real time over CPU time where it is far from 1, else `null`. */
  #ratioOf(name: string): number | null {
    const ratios = byRealTime.test(name) ? [] : (this.#ratios.get(name) ?? []);
    const ratio = ratios.length === 0 ? 1 : median(ratios);
    return ratio >= muchReal ? ratio : null;
  }

  #cpuTimeTaken(names: readonly string[]): Warning {
    const [name = ''] = names;
    const others = names.length === 1 ? '' : ` and ${names.length - 1} more`;
    return {
      code: 'REAL_TIME_FAR_OFF',
      message:
        `${this.#path} has ${(this.#ratioOf(name) ?? 1).toFixed(1)} times as much real time as CPU time of ${name}${others}: other ` +
        'programs had the core, or it waits. CPU time is compared, by which Google Benchmark times it. Ask for --metric time where waiting counts.',
    };
  }
}

/** Mean and deviation of the repetitions; `null` without a mean, as of complexities. */
function summaryOfAggregates(all: readonly Aggregate[]): TimesSummary | null {
  function of(statistic: string): Aggregate | undefined {
    return all.find((one) => one.statistic === statistic);
  }
  const mean = of('mean');
  if (mean === undefined) return null;
  return summaryOf({
    meanNs: mean.realNs,
    standardDeviationNs: of('stddev')?.realNs ?? null,
    samples: mean.repetitions,
    medianNs: of('median')?.realNs ?? null,
  });
}

function readRow(row: JsonNode, rows: Rows): void {
  const statistic = row.maybe('aggregate_name')?.textOrNull() ?? null;
  const isAggregate = row.maybe('run_type')?.textOrNull() === 'aggregate';
  if (isAggregate && !/^(?:mean|median|stddev)$/.test(statistic ?? '')) return;
  if (row.get('error_occurred').value === true || row.maybe('skipped') !== null) {
    rows.failed += isAggregate ? 0 : 1;
    return;
  }
  if (row.get('real_time').isNothing || (isAggregate && row.get('real_time').numberOrNull() === null)) return;
  const unit = row.get('time_unit');
  const ns = nsPerUnit(unit.text());
  if (ns === null) throw unit.error('ns, us, ms or s');
  const name = (row.maybe('run_name') ?? row.get('name')).text();
  const realNs = row.get('real_time').amount() * ns;
  if (isAggregate) {
    rows.aggregate({
      name,
      statistic: statistic ?? '',
      repetitions: row.maybe('repetitions')?.whole() ?? null,
      realNs,
    });
    return;
  }
  const cpu = row.get('cpu_time').numberOrNull();
  const cpuNs = cpu !== null && cpu >= 0 ? cpu * ns : null;
  rows.repetition({ name, invocations: row.get('iterations').whole(), realNs, cpuNs });
}

const cannot: Adapter['cannot'] = [
  'NO_RUN_VARIANCE',
  'NO_TIMESTAMPS',
  'SUMMARY_ONLY',
  'FAILED_RUNS_IGNORED',
  'REAL_TIME_FAR_OFF',
];

/**
 * Google Benchmark's JSON: the rows of one process, of which failed ones and those without times (complexity) are left out, and
 * aggregates where there are repetitions. Source: its `json_reporter.cc`.
 */
export const googleBenchmark: Adapter = jsonAdapter({
  id: 'google-benchmark',
  describe: 'Google Benchmark JSON',
  reads: 'the file is a run, a repetition an iteration; CPU time is read too; with aggregates alone a mean',
  cannot,
  detect: (head) => head.first === '{' && hasKeys(head, 'context', 'benchmarks', 'run_name'),
  advice,
  read: (root, source) => {
    const rows = new Rows(source.path);
    for (const row of root.get('benchmarks').items()) readRow(row, rows);
    return { ...rows.finish(), hostname: root.maybe('context', 'host_name')?.textOrNull() ?? null };
  },
});

const csvAdvice = 'Write it with --benchmark_format=csv or --benchmark_out=FILE --benchmark_out_format=csv.';
const required = ['name', 'iterations', 'real_time', 'cpu_time', 'time_unit'];
const firstRow = required.join(',');

function readCsvRow(row: CsvRow, { rows, of }: { readonly rows: Rows; readonly of: GoogleAggregate | null }): void {
  const name = row.text('name');
  const isComplexity = row.text('iterations') === '' && /_(?:BigO|RMS)$/.test(name);
  if (isComplexity || of?.statistic === 'cv') return;
  if (row.text('error_occurred') === 'true') {
    rows.failed += 1;
    return;
  }
  const ns = nsPerUnit(row.text('time_unit'));
  if (ns === null) throw row.error('time_unit', 'ns, us, ms or s');
  const realNs = row.amount('real_time') * ns;
  const count = row.amount('iterations');
  if (!Number.isInteger(count) || count < 1) throw row.error('iterations', 'a whole number of at least 1');
  if (of !== null) {
    // In the row of an aggregate the column holds the number of repetitions.
    rows.aggregate({ ...of, repetitions: count, realNs });
    return;
  }
  const cpu = row.amountOrNull('cpu_time');
  rows.repetition({ name, invocations: count, realNs, cpuNs: cpu === null ? null : cpu * ns });
}

/** Every row of the tool has all fields, so that one that has not was cut when the tool was aborted, with all that would follow. */
function cutOff(path: string): readonly Warning[] {
  const why = `${path} breaks off in its row, as where Google Benchmark was aborted, so that benchmarks after it may be missing`;
  return entriesLeftOut(1, why);
}

/** Google Benchmark's table, which is separated by commas and may have the machine's description before it. Source: its `csv_reporter.cc`. */
export const googleBenchmarkCsv: Adapter = {
  id: 'google-benchmark-csv',
  describe: 'Google Benchmark CSV',
  reads: 'as its JSON',
  cannot,
  detect: ({ lines }) => lines.some((text) => text.startsWith(firstRow)),
  read: async (source) => {
    const rows = new Rows(source.path);
    const table = {
      separator: [','],
      advice: csvAdvice,
      required,
      begins: (text: string) => text.startsWith(firstRow),
    };
    const whole: CsvRow[] = [];
    let cut: CsvRow | null = null;
    await readCsv(source, table, (row) => {
      if (cut !== null) throw cut.error('time_unit', 'a row with a field for every column');
      if (row.isWhole) whole.push(row);
      else cut = row;
    });
    const aggregates = googleAggregates(whole.map((row) => [row.text('name'), row.text('iterations')]));
    for (const [index, row] of whole.entries()) readCsvRow(row, { rows, of: aggregates[index] ?? null });
    const found = rows.finish();
    return cut === null ? found : { ...found, limits: [...(found.limits ?? []), ...cutOff(source.path)] };
  },
};
