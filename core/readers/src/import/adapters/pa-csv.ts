import type { Side } from '@deadheat/model';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet, detached } from '../benchmark-set.ts';
import type { ImportedBenchmark } from '../imported-file.ts';
import { iterationsMerged, rateInverted } from '../limits.ts';
import { malformedText } from '../import-error.ts';
import { checkRuns, RunStore, StoredBenchmark } from '../run-store.ts';
import { readLineBatches } from '../text/read-lines.ts';
import { splitCsv } from '../text/read-csv.ts';
import { scoreUnit, type ScoreUnit } from '../units.ts';

const advice = 'It is the table that bencher writes and pa reads.';
const header = 'project;commit;benchmark;params;instance;trial;fork;iteration;mode;unit;value_count;value';
const fieldCount = header.split(';').length;

/** Parameters as bencher writes them: `a=1,b=2`. */
function paramsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text === ''
      ? []
      : text.split(',').map((pair) => {
          const at = pair.indexOf('=');
          return at === -1 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
        }),
  );
}

/** A benchmark of the file with its runs, by what they are called. */
interface Collected {
  readonly facts: Pick<ImportedBenchmark, 'name' | 'params' | 'side' | 'mode' | 'conditions'>;
  readonly runs: Map<string, number>;
}

/** What rows of one benchmark in one unit have in common. */
interface Series {
  readonly unit: ScoreUnit;
  readonly benchmark: Collected;
}

/** Rows of one run in one unit: they have in common what is before the iteration and what is between it and the count. */
interface RowsOfRun {
  readonly before: string;
  readonly behind: string;
  readonly unit: ScoreUnit;
  readonly run: number;
}

/** The rows of one iteration, summed up: they have all fields but the last two in common. */
interface Group extends RowsOfRun {
  readonly prefix: string;
  sumNs: number;
  count: number;
}

/** Whether a row, up to its count, is of the same run. */
function isOfRun(prefix: string, { before, behind }: RowsOfRun): boolean {
  return (
    prefix.startsWith(before) &&
    prefix.indexOf(';', before.length) === prefix.length - behind.length &&
    prefix.endsWith(behind)
  );
}

/** Reads the rows; a row like the one before costs no more than its two numbers. */
class Rows {
  readonly store = new RunStore();
  readonly #path: string;
  readonly #commits: string[] = [];
  /** By what tells benchmarks apart. */
  readonly #benchmarks = new Map<string, Collected>();
  /** By the fields before the instance and behind the iteration. */
  readonly #series = new Map<string, Series>();
  #group: Group | null = null;
  #line = 0;
  hasRate = false;

  constructor(path: string) {
    this.#path = path;
  }

  take(line: string): void {
    this.#line += 1;
    if (this.#line === 1) {
      if (line.trim() !== header) throw this.#error(1, `expected the first row ${header}`);
      return;
    }
    const last = line.lastIndexOf(';');
    const before = line.lastIndexOf(';', last - 1);
    if (before <= 0) {
      if (line.trim() === '') return;
      throw this.#error(1, `expected ${fieldCount} fields between semicolons`);
    }
    const group = this.#groupOf(line, before);
    const value = Number(line.slice(last + 1));
    const count = Number(line.slice(before + 1, last));
    const { unit } = group;
    const ns = unit.isRate ? unit.nsPerUnit / value : value * unit.nsPerUnit;
    if (!(count >= 1)) throw this.#error(before + 2, 'column value_count: expected a count of at least 1');
    if (!(ns * count >= 0) || ns * count === Infinity || last + 1 === line.length) {
      throw this.#error(last + 2, 'column value: expected a number of at least 0, above 0 for a rate');
    }
    group.sumNs += ns * count;
    group.count += count;
  }

  /** The benchmarks of all rows; of two commits the first is side A. */
  finish(): readonly ImportedBenchmark[] {
    this.#endGroup();
    const hasSides = this.#commits.length === 2;
    return [...this.#benchmarks.values()].map(
      ({ facts, runs }) =>
        new StoredBenchmark(hasSides ? facts : { ...facts, side: null }, { store: this.store, places: runs }),
    );
  }

  #endGroup(): void {
    const group = this.#group;
    if (group !== null) this.store.push(group.run, group.sumNs, group.count);
    this.#group = null;
  }

  #groupOf(line: string, end: number): Group {
    const known = this.#group;
    if (known?.prefix.length === end && line.startsWith(known.prefix)) return known;
    this.#endGroup();
    const prefix = line.slice(0, end);
    const { before, behind, unit, run } = known !== null && isOfRun(prefix, known) ? known : this.#runOf(prefix);
    const group: Group = { prefix, before, behind, unit, run, sumNs: 0, count: 0 };
    this.#group = group;
    return group;
  }

  #runOf(prefix: string): RowsOfRun {
    const unitAt = prefix.lastIndexOf(';');
    const modeAt = prefix.lastIndexOf(';', unitAt - 1);
    const iterationAt = prefix.lastIndexOf(';', modeAt - 1);
    const forkAt = prefix.lastIndexOf(';', iterationAt - 1);
    const trialAt = prefix.lastIndexOf(';', forkAt - 1);
    const instanceAt = prefix.lastIndexOf(';', trialAt - 1);
    if (instanceAt <= 0) throw this.#error(1, `expected ${fieldCount} fields between semicolons`);
    const { unit, benchmark } = this.#seriesOf(prefix, { instanceAt, modeAt, unitAt });
    const label = prefix.slice(instanceAt + 1, iterationAt).replaceAll(';', '/');
    let run = benchmark.runs.get(label);
    if (run === undefined) {
      checkRuns(this.store, this.#path);
      run = this.store.addRun();
      benchmark.runs.set(detached(label), run);
    }
    return { before: prefix.slice(0, iterationAt + 1), behind: prefix.slice(modeAt), unit, run };
  }

  #seriesOf(prefix: string, at: { instanceAt: number; modeAt: number; unitAt: number }): Series {
    const key = prefix.slice(0, at.instanceAt) + prefix.slice(at.modeAt);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const fields = splitCsv(prefix, ';') ?? [];
    const [, commit = '', name = '', params = '', , , , , mode = '', unitText = ''] = fields;
    if (fields.length !== fieldCount - 2) throw this.#error(1, `expected ${fieldCount} fields between semicolons`);
    const unit = scoreUnit(unitText.trim());
    if (unit === null) {
      throw this.#error(at.unitAt + 2, `column unit: expected ns/op, ops/s or the like, found '${unitText}'`);
    }
    this.hasRate ||= unit.isRate;
    const facts = {
      name: detached(name),
      params: { ...(mode === '' ? {} : { mode: detached(mode) }), ...paramsOf(detached(params)) },
      side: this.#sideOf(commit),
      mode: mode === '' ? null : detached(mode),
      conditions: {},
    };
    const id = BenchmarkSet.idOf(facts);
    const benchmark = this.#benchmarks.get(id) ?? { facts, runs: new Map<string, number>() };
    this.#benchmarks.set(id, benchmark);
    const series = { unit, benchmark };
    this.#series.set(detached(key), series);
    return series;
  }

  #sideOf(commit: string): Side {
    if (!this.#commits.includes(commit)) this.#commits.push(detached(commit));
    if (this.#commits.length > 2) {
      throw this.#error(1, `a third commit, ${commit}: a file holds one side or two, so write one file a commit`);
    }
    return this.#commits[0] === commit ? 'A' : 'B';
  }

  #error(column: number, what: string): Error {
    return malformedText({ path: this.#path, line: this.#line, column }, { what, advice });
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
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'RATE_INVERTED', 'ITERATIONS_MERGED'],
  holdsWarmup: false,
  detect: ({ lines }) => lines[0]?.trim() === header,
  read: async (source) => {
    const rows = new Rows(source.path);
    for await (const batch of readLineBatches(source)) for (const line of batch) rows.take(line);
    const benchmarks = rows.finish();
    return {
      benchmarks,
      limits: [
        ...(rows.hasRate ? [rateInverted(source.path)] : []),
        ...iterationsMerged(source.path, rows.store.group),
      ],
    };
  },
};
