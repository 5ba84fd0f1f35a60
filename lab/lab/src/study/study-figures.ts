import { mean } from '@deadheat/stats';
import { at, type StudyTable } from '@deadheat/analysis';
import type { FigureSeries, Study, StudyFigure } from './study.ts';

type Row = StudyTable['rows'][number];
type Facts = Omit<StudyFigure, 'series' | 'place'> & { readonly place?: string };

function numberAt(row: Row, place: number): number | null {
  const cell = row[place];
  return typeof cell === 'number' && Number.isFinite(cell) ? cell : null;
}

/** Rows in groups that have the same words in the columns of words that are named. */
function groupsOf(
  { columns, rows }: StudyTable,
  by: (name: string) => boolean,
): readonly { readonly key: string; readonly rows: readonly Row[] }[] {
  const words = columns.flatMap(({ name, unit }, place) => (unit === 'text' && by(name) ? [place] : []));
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = words.map((place) => row[place] ?? '-').join(' ');
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(row);
  }
  return Array.from(groups, ([key, own]) => ({ key, rows: own }));
}

/** Values of columns, a series for each column and group of rows; groups are told by the columns of words that are named. */
function byColumns(
  table: StudyTable,
  { by, of }: { readonly by: (name: string) => boolean; readonly of: readonly string[] },
): FigureSeries[] {
  return groupsOf(table, by).flatMap(({ key, rows }) =>
    of.flatMap((name) => {
      const place = table.columns.findIndex((column) => column.name === name);
      const own = rows.flatMap((row) => numberAt(row, place) ?? []);
      const label = [key, ...(of.length > 1 ? [name] : [])].filter((part) => part !== '').join(' ');
      return own.length === 0 ? [] : [{ name: label, x: null, values: own }];
    }),
  );
}

/** Values of columns over the numbers in their names, averaged over the rows of a group. */
function overColumns(
  table: StudyTable,
  { by, placeOf }: { readonly by: (name: string) => boolean; readonly placeOf: RegExp },
): FigureSeries[] {
  const numbers = table.columns.flatMap(({ name }, place) => {
    const found = placeOf.exec(name)?.[1];
    return found === undefined ? [] : [{ place, x: Number(found) }];
  });
  return groupsOf(table, by).flatMap(({ key, rows }) => {
    const points = numbers.flatMap(({ place, x }) => {
      const values = rows.flatMap((row) => numberAt(row, place) ?? []);
      return values.length === 0 ? [] : [{ x, value: mean(values) }];
    });
    const [x, values] = [points.map((point) => point.x), points.map((point) => point.value)];
    return points.length === 0 ? [] : [{ name: key === '' ? 'all' : key, x, values }];
  });
}

function notBenchmark(name: string): boolean {
  return name !== 'benchmark';
}

/** Two studies have a table of it. */
const variation: Facts = {
  name: 'thesis-figure-5.3-variation',
  title: 'Coefficient of variation by method',
  source: 'Drozdik 2023, figure 5.3',
  kind: 'boxes',
  value: 'coefficient of variation',
  unit: 'share',
};

/** How figures come from the tables of each study: title of the table, then what is drawn of it. */
const drawn: readonly {
  readonly kind: Study['kind'];
  readonly title: RegExp;
  readonly make: (table: StudyTable) => readonly (Facts & { readonly series: readonly FigureSeries[] })[];
}[] = [
  {
    kind: 'accuracy',
    title: /^Relative width of the 99 % interval/,
    make: (table) => [
      {
        name: 'icpe20-figure-2-widths',
        title: 'Relative width of the 99 % interval by method',
        source: "Bulej et al., ICPE'20, figures 2, 4 and 5 (by neighbour); Drozdik 2023, figure 5.5",
        kind: 'boxes',
        value: 'relative width',
        unit: 'share',
        series: byColumns(table, { by: notBenchmark, of: ['tandem', 'duet', 'shuffled', 'standard'] }),
      },
      {
        ...variation,
        series: byColumns(table, { by: notBenchmark, of: ['CV tandem', 'CV duet', 'CV sequential'] }),
      },
    ],
  },
  {
    kind: 'mds',
    title: /^Variation and width/,
    make: (table) => [
      {
        ...variation,
        series: byColumns(table, { by: notBenchmark, of: ['CV'] }),
      },
      {
        name: 'thesis-figure-5.5-widths',
        title: 'Relative width of the interval of the mean paired difference',
        source: 'Drozdik 2023, equation 4.2, figure 5.5',
        kind: 'boxes',
        value: 'relative width',
        unit: 'share',
        series: byColumns(table, { by: notBenchmark, of: ['relative width'] }),
      },
    ],
  },
  {
    kind: 'mds',
    title: /^Share of benchmarks in which no change/,
    make: (table) => [
      {
        name: 'thesis-figure-5.6-5.7-no-change',
        title: 'Share of benchmarks in which no change is detected in A/A runs',
        source: 'Drozdik 2023, figures 5.6 and 5.7',
        kind: 'bars',
        value: 'benchmarks without a detected change',
        unit: 'share',
        series: byColumns(table, { by: notBenchmark, of: ['0 %'] }),
      },
      {
        name: 'thesis-figure-5.8-5.9-slowdowns',
        title: 'Share of benchmarks in which no change is detected, by applied slowdown',
        source: 'Drozdik 2023, figures 5.8 and 5.9',
        kind: 'lines',
        value: 'benchmarks without a detected change',
        unit: 'share',
        place: 'applied slowdown, %',
        series: overColumns(table, { by: notBenchmark, placeOf: /^([\d.]+) %$/ }),
      },
    ],
  },
  {
    kind: 'overlap',
    title: /^What running both sides at once saves/,
    make: (table) => [
      {
        name: 'thesis-figure-5.1-speedup',
        title: 'Speedup of running both sides at once',
        source: 'Drozdik 2023, figure 5.1',
        kind: 'boxes',
        value: 'speedup',
        unit: 'ratio',
        series: byColumns(table, { by: notBenchmark, of: ['speedup'] }),
      },
    ],
  },
  {
    kind: 'overlap',
    title: /^Relative overlap time/,
    make: (table) => [
      {
        name: 'thesis-figure-5.2-overlap',
        title: 'Relative overlap time by minimum overlap rate',
        source: 'Drozdik 2023, figure 5.2',
        kind: 'lines',
        value: 'relative overlap time',
        unit: 'share',
        place: 'minimum overlap rate',
        series: overColumns(table, { by: () => true, placeOf: /^above ([\d.]+)$/ }),
      },
    ],
  },
  {
    kind: 'overlap',
    title: /^A\/A runs in which no change is detected/,
    make: (table) => [
      {
        name: 'thesis-figure-5.4-detection',
        title: 'Share of benchmarks in which no change is detected, by minimum overlap rate',
        source: 'Drozdik 2023, figure 5.4',
        kind: 'lines',
        value: 'benchmarks without a detected change',
        unit: 'share',
        place: 'minimum overlap rate',
        series: overColumns(table, { by: notBenchmark, placeOf: /^above ([\d.]+)$/ }),
      },
    ],
  },
  {
    kind: 'asymmetry',
    title: /^Time beside a copy of itself/,
    make: (table) => [
      {
        name: 'icpe20-figure-7-concurrency',
        title: 'Time beside a copy of itself over time alone',
        source: "Bulej et al., ICPE'20, figure 7",
        kind: 'boxes',
        value: 'slowdown',
        unit: 'ratio',
        series: byColumns(table, { by: notBenchmark, of: ['slowdown'] }),
      },
    ],
  },
  {
    kind: 'stopping',
    title: /^Every benchmark$/,
    make: (table) => [
      {
        name: 'fse20-figure-4-change',
        title: 'Change of the mean by project and criterion',
        source: "Laaber et al., FSE'20, figure 4",
        kind: 'boxes',
        value: 'mean change',
        unit: 'share',
        series: byColumns(table, { by: (name) => name === 'project' || name === 'criterion', of: ['change'] }),
      },
    ],
  },
  {
    kind: 'stopping',
    title: /^Time of the suite as recorded/,
    make: (suite) => {
      const shares = ['shorter than JMH 1.21', '5 times', '10 times', 'longer'];
      const all = suite.rows.filter(([project]) => project === 'Total');
      return [
        {
          name: 'fse20-figure-2-times',
          title: 'Share of benchmarks that run for less, or longer, than by the defaults of JMH',
          source: "Laaber et al., FSE'20, figure 2b",
          kind: 'bars',
          value: 'benchmarks',
          unit: 'share',
          series: byColumns({ ...suite, rows: all }, { by: () => false, of: shares }),
        },
        {
          name: 'fse20-figure-2-suites',
          title: 'Time of the suites of all projects, as recorded and by the defaults of JMH',
          source: "Laaber et al., FSE'20, figure 2a; of each project the benchmarks that are here",
          kind: 'boxes',
          value: 'hours',
          unit: 'number',
          series: byColumns(
            { ...suite, rows: suite.rows.filter((row) => !all.includes(row)) },
            { by: () => false, of: ['recorded (h)', 'JMH 1.20 (h)', 'JMH 1.21 (h)'] },
          ),
        },
      ];
    },
  },
  {
    kind: 'steady',
    title: /^Which runs reach a steady state$/,
    make: (table) => [
      {
        name: 'oopsla26-table-1-classes',
        title: 'Share of runs in each class',
        source: "Antoch et al., OOPSLA'26, table 1",
        kind: 'bars',
        value: 'share of runs, mean over benchmarks',
        unit: 'share',
        series: byColumns(table, {
          by: (name) => notBenchmark(name) && name !== 'overall',
          of: ['flat', 'warm-up', 'slowdown', 'not steady'],
        }).map(({ name, values }) => ({ name, x: null, values: [mean(values)] })),
      },
    ],
  },
  {
    kind: 'simulation',
    title: /^Segment-aware widths against the spread/,
    make: (table) => [
      {
        name: 'oopsla26-figure-11-widths',
        title: 'Width of segment-aware intervals over the spread of the grand mean itself',
        source: "Antoch et al., OOPSLA'26, table 5 and figure 11",
        kind: 'boxes',
        value: 'width / spread',
        unit: 'ratio',
        series: byColumns(table, {
          by: (name) => name === 'runs x iterations' || name === 'interval',
          of: ['width / spread'],
        }),
      },
    ],
  },
];

/**
 * The figures of a study: those that it brings, and those that its tables hold. Of several circumstances each has its own series.
 */
export function figuresOf(study: Study): readonly StudyFigure[] {
  const ofTables = study.tables.flatMap((table) =>
    drawn
      .filter(({ kind, title }) => kind === study.kind && title.test(table.title))
      .flatMap(({ make }) => make(table).map((figure) => ({ place: null, ...figure }))),
  );
  return [...ofTables, ...(study.figures ?? [])].filter(({ series }) => series.length > 0);
}

/** Figures of parts of a study as one: those of one name together, with the part before the name of each series. */
export function joinFigures(
  parts: readonly { readonly label: string; readonly figures: readonly StudyFigure[] }[],
): readonly StudyFigure[] {
  const joined = new Map<string, StudyFigure[]>();
  for (const { label, figures } of parts) {
    for (const figure of figures) {
      const series = figure.series.map((one) => ({ ...one, name: `${label} ${one.name}` }));
      joined.set(figure.name, [...(joined.get(figure.name) ?? []), { ...figure, series }]);
    }
  }
  return [...joined.values()].map((same) => ({ ...at(same, 0), series: same.flatMap(({ series }) => series) }));
}
