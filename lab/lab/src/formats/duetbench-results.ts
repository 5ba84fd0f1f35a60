import { basename } from 'node:path';
import { methodSchema, methodFacts, type Method } from '@deadheat/model';
import { duetCsvColumns, type FormatReader, type ImportedFile } from '@deadheat/readers';

const advice = 'It is the table of results that duetbench writes.';

/** The results of asynchronous duets as CSV: both sides in one file. Source: Drozdik's duetbench, `duet/constants.py`. */
export const duetCsv: FormatReader = {
  reads:
    'both sides, a `runid` is a run, with starts; the types are async-duet, sync-duet, sequential and tandem, of which the times are CPU times',
  cannot: ['NO_RUN_VARIANCE'],
  holdsWarmup: true,
  read: async (source, _, { BenchmarkSet, readCsv }) => {
    const set = new BenchmarkSet(source.path);
    await readCsv(source, { separator: [','], advice, required: duetCsvColumns }, (row) => {
      const method = methodOfType(row.text('type'));
      if (method === null) throw row.error('type', 'duet, syncduet, seqn or tandem');
      const side = row.text('pair');
      if (side !== 'A' && side !== 'B') throw row.error('pair', 'A or B');
      const startNs = row.amount('iteration_start_ns');
      const endNs = row.amount('iteration_end_ns');
      if (endNs < startNs) throw row.error('iteration_end_ns', 'an end that is not before the start');
      const key = { name: row.text('benchmark'), params: { suite: row.text('suite') }, side, method } as const;
      // Starts of a wall clock in ns are beyond what a float64 holds exactly; the time itself is not.
      const spanNs =
        (endNs > Number.MAX_SAFE_INTEGER
          ? exactDifference(row.text('iteration_end_ns'), row.text('iteration_start_ns'))
          : null) ?? endNs - startNs;
      const run = set.run(key, row.text('runid'));
      // Sequential runs have None. Source: duetbench, `duet/parsers_benchmark.py`; thesis, section 3.3.
      if (run.length === 0) run.order = startOrderOf(row.text('order'));
      if (methodFacts[method].ownTime === 'cpu') {
        run.push({ durationNs: spanNs, startNs });
        run.setMetric('c', row.amount('iteration_time_ns'));
      } else run.push({ durationNs: row.amountOrNull('iteration_time_ns') ?? spanNs, startNs });
    });
    return { benchmarks: set.benchmarks() };
  },
};

/** The difference of whole numbers that a float64 need not hold; `null` for other texts. */
function exactDifference(end: string, start: string): number | null {
  const isWhole = /^\d+$/;
  return isWhole.test(end) && isWhole.test(start) ? Number(BigInt(end) - BigInt(start)) : null;
}

/** The order in the text of a column, or of the name of a result file; `null` = the tool did not record it. */
function startOrderOf(text: string): 'AB' | 'BA' | null {
  return text === 'AB' || text === 'BA' ? text : null;
}

/**
 * The method for a name in the tool of the asynchronous duets; `seqn` is followed by nothing or a number. `tandem` is what deadheat's
 * own export adds.
 */
function methodOfType(type: string): Method | null {
  const name = /^seqn?\d*$/.test(type) ? 'seqn' : type;
  return methodSchema.options.find((method) => methodFacts[method].duetbench === name) ?? null;
}

const resultName = /^([^.]+)\.(.+)\.([^.]+)\.(duet|syncduet|seqn?\d*)\.(AB|BA|None)\.([AB])\./;

/**
 * A file that is named as a result of asynchronous-duet, `suite.benchmark.runid.type.order.side.file`: its benchmarks are one side of one
 * run. The benchmark's own name may hold dots. Source: asynchronous-duet, `duet/constants.py`.
 */
export function readDuetName(file: ImportedFile): ImportedFile {
  const [, suite = '', name = '', run = '', type = '', order = '', side] = resultName.exec(basename(file.path)) ?? [];
  const method = methodOfType(type);
  if (method === null || (side !== 'A' && side !== 'B')) return file;
  return {
    ...file,
    benchmarks: file.benchmarks.map((one) => ({
      ...one,
      name,
      params: { suite },
      method,
      side,
      runs: one.runs.map(({ iterations }, index) => {
        iterations.order = startOrderOf(order);
        return { label: index === 0 ? run : `${run}/${index}`, iterations };
      }),
    })),
  };
}

/**
 * The table of the D3S group's DaCapo: a row an iteration. Its start is `start_unix` (ms of the wall clock) or in older
 * tables `total_ms` (ms since the run began). Source: asynchronous-duet's `parsers_benchmark.py`, which names these
 * columns only.
 */
export const dacapoCsv: FormatReader = {
  reads: 'the file is a run, a row an iteration; starts from `start_unix` or `total_ms`',
  cannot: ['NO_RUN_VARIANCE'],
  holdsWarmup: true,
  read: async (source, _, { BenchmarkSet, malformedText, readCsv, unnamed, nsPer }) => {
    const set = new BenchmarkSet(source.path);
    const writing = { separator: [','], advice: "Write it with -o FILE of the D3S group's DaCapo." };
    await readCsv(source, { ...writing, required: ['iteration_time_ns'] }, (row) => {
      const start = row.columns.find((name) => name === 'start_unix' || name === 'total_ms');
      if (start === undefined) {
        const what = 'the first row has neither the column start_unix nor total_ms';
        throw malformedText({ path: source.path, line: 1, column: 1 }, { what, advice: writing.advice });
      }
      const name = row.text('benchmark') || unnamed;
      set
        .run({ name }, '0')
        .push({ durationNs: row.amount('iteration_time_ns'), startNs: row.amount(start) * nsPer.ms });
    });
    return { benchmarks: set.benchmarks() };
  },
};

/** SPEC CPU's log: each pair of start and end is an execution. Source: asynchronous-duet's `parsers_benchmark.py`. */
export const specCpu: FormatReader = {
  reads: 'a pair of `Rate Start` and `Rate End` is a run of one iteration, with its start',
  cannot: ['NO_RUN_VARIANCE'],
  read: async (source, _, { BenchmarkSet, malformedText, readLines, readSpecLine, unnamed, nsPer }) => {
    const { path } = source;
    const set = new BenchmarkSet(path);
    let name = unnamed;
    let start: { readonly ns: number; readonly line: number } | null = null;
    let count = 0;
    for (const { number, text } of await readLines(source)) {
      const found = readSpecLine(text);
      if (found?.kind === 'benchmark') name = found.name;
      if (found === null || found.kind === 'benchmark') continue;
      const ns = found.seconds * nsPer.s;
      if (found.kind === 'start') {
        start = { ns, line: number };
        continue;
      }
      const log = 'It is the log that runcpu writes, CPU2017.NNN.log.';
      const place = { path, line: number, column: 1 };
      if (start === null) throw malformedText(place, { what: 'an end without a start before it', advice: log });
      if (ns < start.ns) {
        throw malformedText(place, { what: `the end lies before the start in line ${start.line}`, advice: log });
      }
      set.run({ name }, String(count++)).push({ durationNs: ns - start.ns, startNs: start.ns });
      start = null;
    }
    return { benchmarks: set.benchmarks() };
  },
};
