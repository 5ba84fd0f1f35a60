import { methodSchema, methodFacts, type Method } from '@deadheat/model';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { hasColumns } from '../import-source.ts';
import { readCsv } from '../text/read-csv.ts';

const advice = 'It is the table of results that duetbench writes.';
/** The columns that every such table begins with, in their order. */
export const duetCsvColumns: readonly string[] = [
  'suite',
  'benchmark',
  'type',
  'runid',
  'pair',
  'iteration',
  'iteration_start_ns',
  'iteration_end_ns',
  'iteration_time_ns',
];

/**
 * The column behind those and behind the artifacts: which side was started first. `None` = the tool did not say, as for its sequential
 * runs. Source: duetbench, `duet/parsers_benchmark.py`; thesis, section 3.3.
 */
export const duetCsvOrder = 'order';

/** The order in the text of this column, or of the name of a result file. */
export function startOrderOf(text: string): 'AB' | 'BA' | null {
  return text === 'AB' || text === 'BA' ? text : null;
}

/**
 * The method for a name in the tool of the asynchronous duets; `seqn` is followed by nothing or a number. `tandem` is what deadheat's
 * own export adds.
 */
export function methodOfType(type: string): Method | null {
  const name = /^seqn?\d*$/.test(type) ? 'seqn' : type;
  return methodSchema.options.find((method) => methodFacts[method].duetbench === name) ?? null;
}

/** The results of asynchronous duets as CSV: both sides in one file. Source: Drozdik's duetbench, `duet/constants.py`. */
export const duetCsv: Adapter = {
  id: 'duet-csv',
  describe: 'CSV of duetbench (asynchronous duets)',
  reads:
    'both sides, a `runid` is a run, with starts; the types are async-duet, sync-duet, sequential and tandem, of which the times are CPU times',
  cannot: ['NO_RUN_VARIANCE'],
  holdsWarmup: true,
  detect: (head) => hasColumns(head, ...duetCsvColumns),
  read: async (source) => {
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
      if (run.length === 0) run.order = startOrderOf(row.text(duetCsvOrder));
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
