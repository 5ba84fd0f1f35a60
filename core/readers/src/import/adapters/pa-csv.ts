import type { Side } from '@deadheat/model';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import type { IterationList } from '../iteration-list.ts';
import { rateInverted } from '../limits.ts';
import { type CsvRow, readCsv } from '../text/read-csv.ts';
import { scoreUnit } from '../units.ts';

const advice = 'It is the table that bencher writes and pa reads.';
const columns = 'project;commit;benchmark;params;instance;trial;fork;iteration;mode;unit;value_count;value'.split(';');

/** Parameters as bencher writes them: `a=1,b=2`. */
function paramsOf(text: string): Record<string, string> {
  const pairs = text === '' ? [] : text.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(pairs.map(([name = '', ...value]) => [name, value.join('=')]));
}

/** The rows of one iteration, summed up. */
interface Group {
  readonly id: string;
  readonly run: IterationList;
  sumNs: number;
  count: number;
}

/** Collects the rows of a table, in which those of an iteration follow each other. */
class Rows {
  readonly #set: BenchmarkSet;
  readonly #commits: string[] = [];
  #group: Group | null = null;
  hasRate = false;

  constructor(path: string) {
    this.#set = new BenchmarkSet(path);
  }

  take(row: CsvRow): void {
    const unit = scoreUnit(row.text('unit'));
    if (unit === null) throw row.error('unit', 'ns/op, ops/s or the like');
    this.hasRate ||= unit.isRate;
    const count = row.amount('value_count');
    if (!(count >= 1)) throw row.error('value_count', 'a count of at least 1');
    const value = row.amount('value');
    const ns = (unit.isRate ? unit.nsPerUnit / value : value * unit.nsPerUnit) * count;
    if (!(ns < Infinity)) throw row.error('value', 'a number of at least 0, above 0 for a rate');
    const group = this.#groupOf(row);
    group.sumNs += ns;
    group.count += count;
  }

  /** The benchmarks of all rows; of two commits the first is side A. */
  finish(): ReturnType<BenchmarkSet['benchmarks']> {
    this.#endGroup();
    const benchmarks = this.#set.benchmarks();
    return this.#commits.length === 2 ? benchmarks : benchmarks.map((one) => ({ ...one, side: null }));
  }

  #groupOf(row: CsvRow): Group {
    const id = columns.slice(1, -2).map((column) => row.text(column)).join('\n'); // prettier-ignore
    if (this.#group?.id === id) return this.#group;
    this.#endGroup();
    const mode = row.text('mode');
    const params = { ...(mode === '' ? {} : { mode }), ...paramsOf(row.text('params')) };
    const key = { name: row.text('benchmark'), params, side: this.#sideOf(row), mode: mode === '' ? null : mode };
    const label = ['instance', 'trial', 'fork'].map((column) => row.text(column)).join('/');
    this.#group = { id, run: this.#set.run(key, label), sumNs: 0, count: 0 };
    return this.#group;
  }

  #endGroup(): void {
    const group = this.#group;
    if (group !== null) group.run.push({ durationNs: group.sumNs, invocations: group.count });
    this.#group = null;
  }

  #sideOf(row: CsvRow): Side {
    const commit = row.text('commit');
    if (!this.#commits.includes(commit)) this.#commits.push(commit);
    if (this.#commits.length > 2) {
      throw row.error('commit', 'one or two commits in a file, whose sides they are, so write one file a commit');
    }
    return this.#commits[0] === commit ? 'A' : 'B';
  }
}

/**
 * The `;`-separated table of bencher and pa. Instance, trial and fork together are a run; the rows of an iteration are
 * the histogram of its invocations and become their mean. Source: READMEs of chrstphlbr/pa and chrstphlbr/bencher.
 */
export const paCsv: Adapter = {
  id: 'pa-csv',
  describe: 'CSV of bencher and pa',
  reads: 'instance, trial and fork are a run; an iteration is the mean of its histogram; two commits are two sides',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'RATE_INVERTED'],
  holdsWarmup: false,
  detect: ({ lines }) => lines[0]?.trim() === columns.join(';'),
  read: async (source) => {
    const rows = new Rows(source.path);
    await readCsv(source, { separator: [';'], advice, required: columns }, (row) => rows.take(row));
    return { benchmarks: rows.finish(), limits: rows.hasRate ? [rateInverted(source.path)] : [] };
  },
};
