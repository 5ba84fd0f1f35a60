import type { Side, TimeUnit } from '@deadheat/model';
import { BenchmarkSet } from '../benchmark-set.ts';
import type { ColumnMap } from '../column-map.ts';
import { unnamed } from '../unnamed.ts';
import type { ImportError } from '../import-error.ts';
import type { ImportedBenchmark } from '../imported-file.ts';
import { nsPer } from '../units.ts';

/** A row of any table. */
export interface TableRow {
  /** `null` for an empty field. */
  readonly text: (column: string) => string | null;
  /** A number of at least 0, `null` for an empty field; throws for anything else. */
  readonly amount: (column: string) => number | null;
  readonly error: (column: string, expected: string) => ImportError;
}

/** Collects the rows of a table whose columns the user named. Without a column of runs the file is one run. */
export class TableReader {
  readonly #columns: ColumnMap;
  readonly #ns: number;
  readonly #set = new BenchmarkSet();

  constructor(columns: ColumnMap, unit: TimeUnit) {
    this.#columns = columns;
    this.#ns = nsPer[unit];
  }

  take(row: TableRow): void {
    const { time, run, benchmark, start, invocations } = this.#columns;
    const duration = row.amount(time);
    if (duration === null) throw row.error(time, 'a time of at least 0');
    const startValue = start === undefined ? null : row.amount(start);
    if (start !== undefined && startValue === null) throw row.error(start, 'a start of at least 0');
    const count = invocations === undefined ? null : row.amount(invocations);
    if (invocations !== undefined && count !== null && count < 1) throw row.error(invocations, 'a count of at least 1');
    const name = (benchmark === undefined ? null : row.text(benchmark)) ?? unnamed;
    const label = (run === undefined ? null : row.text(run)) ?? '0';
    this.#set.run({ name, side: this.#side(row) }, label).push({
      durationNs: duration * this.#ns,
      startNs: startValue === null ? null : startValue * this.#ns,
      invocations: count ?? 1,
    });
  }

  benchmarks(): readonly ImportedBenchmark[] {
    return this.#set.benchmarks();
  }

  #side(row: TableRow): Side | null {
    const { side } = this.#columns;
    if (side === undefined) return null;
    const text = row.text(side);
    if (text !== 'A' && text !== 'B') throw row.error(side, 'A or B');
    return text;
  }
}
