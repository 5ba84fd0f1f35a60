import { at, type StudyBenchmark, type StudyFacet, columnHeads, text, type StudyTable } from '@deadheat/analysis';
import { joinFigures } from './study-figures.ts';
import { type Study } from './study.ts';

interface Part {
  /** A value for each facet; `null` = not known. */
  readonly values: readonly (string | null)[];
  readonly study: Study;
}

/** What is known of a circumstance: a parameter of its name, or what the recording says. */
export function facetOf({ benchmark: { params }, facets }: StudyBenchmark, facet: StudyFacet): string | null {
  return (Object.hasOwn(params, facet) ? params[facet] : facets?.[facet]) ?? null;
}

function withoutFacets(one: StudyBenchmark, facets: readonly StudyFacet[]): StudyBenchmark {
  const others = Object.entries(one.benchmark.params).filter(([name]) => !facets.some((facet) => facet === name));
  return { ...one, benchmark: { ...one.benchmark, params: Object.fromEntries(others) } };
}

/** What every part says is said once; what only some say, with the values of the facets before it. */
function notesOf(parts: readonly { readonly values: Part['values']; readonly table: StudyTable }[]): string[] {
  const notes = new Set(parts.flatMap(({ table }) => table.notes));
  return [...notes].flatMap((note) => {
    const saying = parts.filter(({ table }) => table.notes.includes(note));
    if (saying.length === parts.length) return [note];
    return saying.map(({ values }) => `${values.map((value) => value ?? '-').join(', ')}: ${note}`);
  });
}

function joinTables(
  title: string,
  { parts, facets }: { readonly parts: readonly Part[]; readonly facets: readonly StudyFacet[] },
): StudyTable {
  const own = parts.flatMap(({ values, study: { tables } }) =>
    tables.filter((table) => table.title === title).map((table) => ({ values, table })),
  );
  const columns = new Map<string, StudyTable['columns'][0]>();
  for (const { table } of own) {
    for (const [place, head] of columnHeads(table.columns).entries()) columns.set(head, at(table.columns, place));
  }
  return {
    title,
    source: at(own, 0).table.source,
    columns: [...facets.map((facet) => text(facet)), ...columns.values()],
    rows: own.flatMap(({ values, table }) => {
      const heads = columnHeads(table.columns);
      return table.rows.map((cells) => {
        const known = new Map(heads.map((head, place) => [head, at(cells, place)]));
        return [...values, ...[...columns.keys()].map((head) => known.get(head) ?? null)];
      });
    }),
    notes: notesOf(own),
  };
}

/**
 * The facets that divide a study unless the user names some: machines where there are several, and neighbours where any is told.
 */
export function usualFacets(benchmarks: readonly StudyBenchmark[]): readonly StudyFacet[] {
  const valuesOf = (facet: StudyFacet): ReadonlySet<string | null> =>
    new Set(benchmarks.map((one) => facetOf(one, facet)));
  const neighbours = valuesOf('neighbour');
  return [
    ...(valuesOf('machine').size > 1 ? (['machine'] as const) : []),
    ...([...neighbours].some((value) => value !== null) ? (['neighbour'] as const) : []),
  ];
}

/**
 * A study made for every combination of circumstances by itself, in one set of tables with their values as first columns: what
 * was measured under different ones is neither put together nor averaged. Without facets it is the study as it is.
 *
 * @param facets by which it is divided; benchmarks of which one is not known are a part of their own, its cell `null`.
 * @throws what `make` throws.
 */
export function studyByFacets(
  benchmarks: readonly StudyBenchmark[],
  {
    facets,
    make,
  }: { readonly facets: readonly StudyFacet[]; readonly make: (benchmarks: readonly StudyBenchmark[]) => Study },
): Study {
  if (facets.length === 0 || benchmarks.length === 0) return make(benchmarks);
  const groups = new Map<string, { readonly values: Part['values']; readonly own: StudyBenchmark[] }>();
  for (const one of benchmarks) {
    const values = facets.map((facet) => facetOf(one, facet));
    const key = JSON.stringify(values);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { values, own: [withoutFacets(one, facets)] });
    else group.own.push(withoutFacets(one, facets));
  }
  const parts = [...groups.values()].map(({ values, own }): Part => ({ values, study: make(own) }));
  const figures = joinFigures(
    parts.map(({ values, study }) => ({
      label: values.map((value) => value ?? '-').join(' '),
      figures: study.figures ?? [],
    })),
  );
  const titles = new Set(parts.flatMap(({ study }) => study.tables.map(({ title }) => title)));
  return {
    kind: at(parts, 0).study.kind,
    tables: [...titles].map((title) => joinTables(title, { parts, facets })),
    ...(figures.length === 0 ? {} : { figures }),
  };
}
