import { configOf, type Benchmark, type Iteration, type Method, type Trial } from '@deadheat/model';
import { measuredRuns } from '../../../../core/analysis/src/columns/measured-runs.ts';
import { at } from '../../../../core/analysis/src/internal/lists.ts';
import type { StudyBenchmark } from '../../../../core/analysis/src/disturbance/study-group.ts';
import type { StudyTable } from '../../../../core/analysis/src/table.ts';
import { aBenchmark, aConfig, aSide, aTrial } from '../../../../core/analysis/test/helpers/recordings.ts';

const { commands } = aBenchmark();
/** One program on both sides. */
export const itself: Partial<Benchmark> = { commands: { A: commands.A, B: commands.A } };

/** A benchmark as a recording has it. */
export const studied = (
  method: Method,
  trials: readonly Trial[],
  changes: Partial<Benchmark> = itself,
): StudyBenchmark => {
  const benchmark = aBenchmark(changes);
  const runs = measuredRuns(trials.map((trial) => ({ ...trial, method })));
  return { benchmark, runs, config: configOf(aConfig({ method }), benchmark) };
};

/** Runs of iterations that stand at given times: [start, end]. */
export const spansOf = (
  runs: readonly (readonly [A: readonly (readonly [number, number])[], B: readonly (readonly [number, number])[]])[],
): Trial[] => {
  const iterations = (spans: readonly (readonly [number, number])[]): Iteration[] =>
    spans.map(([s, e], i) => ({ i, s, e }));
  return runs.map(([A, B], run) => aTrial({ run, sides: { A: aSide(iterations(A)), B: aSide(iterations(B)) } }));
};

/** The cells of a column, found by its name. */
export const column = (table: StudyTable | undefined, name: string): (string | number | null)[] => {
  const place = table?.columns.findIndex((one) => one.name === name) ?? -1;
  if (table === undefined || place < 0) throw new RangeError(`no column ${name}`);
  return table.rows.map((row) => at(row, place));
};
