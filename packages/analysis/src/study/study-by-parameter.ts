import { at } from '../internal/at.ts';
import type { StudyBenchmark } from './study-group.ts';
import { text, type Study, type StudyColumn, type StudyTable } from './study.ts';

interface Part {
  /** `null`: benchmarks without the parameter. */
  readonly value: string | null;
  readonly study: Study;
}

const valueOf = ({ benchmark: { params } }: StudyBenchmark, parameter: string): string | null =>
  Object.hasOwn(params, parameter) ? (params[parameter] ?? null) : null;

const withoutParameter = (one: StudyBenchmark, parameter: string): StudyBenchmark => {
  const others = Object.entries(one.benchmark.params).filter(([name]) => name !== parameter);
  return { ...one, benchmark: { ...one.benchmark, params: Object.fromEntries(others) } };
};

/** What every part says is said once; what only some say, with the value of the parameter before it. */
const notesOf = (parts: readonly { readonly value: string | null; readonly table: StudyTable }[]): string[] => {
  const notes = new Set(parts.flatMap(({ table }) => table.notes));
  return [...notes].flatMap((note) => {
    const saying = parts.filter(({ table }) => table.notes.includes(note));
    return saying.length === parts.length ? [note] : saying.map(({ value }) => `${value ?? '-'}: ${note}`);
  });
};

const joinTables = (
  title: string,
  { parts, parameter }: { readonly parts: readonly Part[]; readonly parameter: string },
): StudyTable => {
  const own = parts.flatMap(({ value, study: { tables } }) =>
    tables.filter((table) => table.title === title).map((table) => ({ value, table })),
  );
  const columns = new Map<string, StudyColumn>();
  for (const { table } of own) for (const column of table.columns) columns.set(column.name, column);
  return {
    title,
    source: at(own, 0).table.source,
    columns: [text(parameter), ...columns.values()],
    rows: own.flatMap(({ value, table }) =>
      table.rows.map((cells) => {
        const known = new Map(table.columns.map(({ name }, place) => [name, at(cells, place)]));
        return [value, ...[...columns.keys()].map((name) => known.get(name) ?? null)];
      }),
    ),
    notes: notesOf(own),
  };
};

/**
 * A study made for every value of a parameter by itself, in one set of tables with the value as their first column: what
 * was measured under different circumstances is neither put together nor averaged. Without benchmarks of such a parameter
 * it is the study as it is.
 *
 * @param parameter name of the parameter; benchmarks without it are a part of their own, its cells `null`.
 * @throws what `make` throws.
 */
export const studyByParameter = (
  benchmarks: readonly StudyBenchmark[],
  { parameter, make }: { readonly parameter: string; readonly make: (benchmarks: readonly StudyBenchmark[]) => Study },
): Study => {
  const values = [...new Set(benchmarks.map((one) => valueOf(one, parameter)))];
  if (values.every((value) => value === null)) return make(benchmarks);
  const parts = values.map((value) => {
    const own = benchmarks.filter((one) => valueOf(one, parameter) === value);
    return { value, study: make(own.map((one) => withoutParameter(one, parameter))) };
  });
  const titles = new Set(parts.flatMap(({ study }) => study.tables.map(({ title }) => title)));
  return {
    kind: at(parts, 0).study.kind,
    tables: [...titles].map((title) => joinTables(title, { parts, parameter })),
  };
};
