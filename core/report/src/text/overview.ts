import { metricKinds, sides, type Comparison, type Report, type Warning } from '@deadheat/model';
import { adjustPValues } from '@deadheat/stats';
import { comparisonKey, controlsOf, countVerdicts, testedOf, worstFirst } from '../report-input.ts';
import { type Detail, openNote, type Standing, standingNote } from './details.ts';
import { alignCells, colorVerdict, type Colors, wrapText } from './layout.ts';
import { countOf, formatChosenShare, formatDifference, formatInterval, formatShare, type TimeUnit } from './numbers.ts';
import { benchmarkName, benchmarksIn, commandOf, methodNamer, printable, shorten } from './printable.ts';
import { decidedTexts, judgedAmount } from './quantities.ts';
import { endless, isSelfComparison, runsOf, verdictWords } from './verdict-sentence.ts';

/**
 * The order of a table of several comparisons. `auto`: commands that are compared with the same one by their ratio, the fastest
 * first; benchmarks as they were given.
 */
export type SortOrder = 'auto' | 'command' | 'mean-time' | 'ratio' | 'verdict' | 'name';

/** View of results, whatever they are written to. */
export interface ResultView {
  /** Every benchmark of several is shown with its figures, and not the table alone. */
  readonly details?: boolean;
  readonly sort?: SortOrder;
  /** Unit of all times; `null` = the one that fits. */
  readonly timeUnit?: TimeUnit['name'] | null;
  /** `true` = the path of a page follows the text, so that the text names none. */
  readonly isFollowed?: boolean;
  /** `true` = a gate was asked for. */
  readonly isGated?: boolean;
}

/** Comparisons in the order that was asked for; controls last. */
export function sortComparisons(comparisons: readonly Comparison[], order: SortOrder = 'auto'): readonly Comparison[] {
  return [...inOrder(testedOf(comparisons), order), ...controlsOf(comparisons)];
}

function inOrder(comparisons: readonly Comparison[], order: SortOrder): readonly Comparison[] {
  switch (order) {
    case 'auto':
      return isRanking(comparisons) ? inOrder(comparisons, 'ratio') : comparisons;
    case 'command':
      return comparisons;
    case 'mean-time':
      return comparisons.toSorted((one, other) => one.sides.B.mean - other.sides.B.mean);
    case 'ratio':
      return comparisons.toSorted((one, other) => one.interval.estimate - other.interval.estimate);
    case 'verdict':
      return worstFirst(comparisons);
    case 'name':
      return comparisons.toSorted((one, other) => (benchmarkName(one) < benchmarkName(other) ? -1 : 1));
  }
}

/** True where several commands were compared with the same A, so that they can be ranked. */
function isRanking(comparisons: readonly Comparison[]): boolean {
  const tested = testedOf(comparisons);
  const [first] = tested;
  if (first === undefined || tested.length < 2) return false;
  const { command, name } = first.sides.A;
  const commands = new Set(tested.map(({ sides }) => sides.B.command));
  return (
    commands.size === tested.length && tested.every(({ sides: { A } }) => A.command === command && A.name === name)
  );
}

/** `1 slower, 3 dead heats`: how often every verdict came out, the most urgent first. */
export function tallyVerdicts(comparisons: readonly Pick<Comparison, 'verdict'>[]): string {
  return countVerdicts(comparisons)
    .map(([verdict, count]) => {
      const word = verdictWords[verdict].toLowerCase();
      return countOf(count, word, verdict === 'dead-heat' ? `${word}s` : word);
    })
    .join(', ');
}

/** A row of the table of all comparisons. */
interface OverviewRow {
  readonly name: string;
  /** Empty where all comparisons have one. */
  readonly method: string;
  /** Mean times; `A` is empty in a ranking. */
  readonly A: string;
  readonly B: string;
  readonly estimate: string;
  readonly interval: string;
  /** Empty for rows that are no comparison. */
  readonly verdict: string;
  readonly comparison: Comparison | null;
}

/** The table of several comparisons, for every output. */
interface Overview {
  /** Several commands against the same A. */
  readonly ranking: boolean;
  readonly heads: Readonly<Record<'name' | 'method' | 'A' | 'B' | 'estimate', string>>;
  readonly rows: readonly OverviewRow[];
  /** Properties of every row: level, runs, method, metric, and the slowdown that would be found. */
  readonly caption: string;
}

/** The comparisons of a report as one table: of commands against the same A a ranking, of benchmarks with the geometric mean. */
export function overviewOf(
  report: Report,
  { standing, view }: { readonly standing: ReadonlyMap<Comparison, Standing>; readonly view: ResultView },
): Overview {
  const comparisons = sortComparisons(report.comparisons, view.sort);
  const ranking = isRanking(comparisons);
  const notes = notCountedFaster(report);
  const left = notComparedOf(report);
  const methodOf = methodNamer<Pick<Comparison, 'method'>>([...comparisons, ...left]);
  const rows = comparisons.map((comparison): OverviewRow => {
    const { sides: summaries, verdict, benchmark, controlOf } = comparison;
    const { textOf, amounts } = decidedTexts(comparison, view.timeUnit);
    const { estimate, low, high } = formatInterval(comparison.interval);
    const note =
      standingNote(standing.get(comparison)) ?? (notes.has(comparison) ? 'not counted' : openNote(comparison));
    return {
      name: ranking && controlOf === undefined ? printable(summaries.B.name) : shownName(comparison, benchmark),
      method: methodOf(comparison),
      A: ranking ? '' : textOf(judgedAmount(comparison, amounts, 'A')),
      B: textOf(judgedAmount(comparison, amounts, 'B')),
      estimate,
      interval: `[${low} … ${high}]`,
      verdict: note === null ? verdictWords[verdict] : `${verdictWords[verdict]}, ${note}`,
      comparison,
    };
  });
  return {
    ranking,
    heads: {
      name: ranking ? 'command' : 'benchmark',
      method: [...comparisons, ...left].some((one) => methodOf(one) !== '') ? 'method' : '',
      A: ranking ? '' : 'A',
      B: ranking ? (comparisons.every(({ judge }) => judge === 'typical') ? 'typical' : 'mean') : 'B',
      estimate: ranking ? 'against A' : 'B against A',
    },
    rows: [
      ...(ranking ? withReference(rows, { comparisons, view }) : rows),
      ...left.map((one) => ({
        ...emptyRow(shownName(one, one.benchmark)),
        method: methodOf(one),
        verdict: 'not compared: too few runs',
      })),
      ...(ranking ? [] : geometricMeans(comparisons, methodOf)),
    ],
    caption: captionOf(comparisons),
  };
}

/** Benchmarks with a method that had too few usable runs for a comparison. */
export function notComparedOf({
  comparisons,
  gate,
}: Pick<Report, 'comparisons' | 'gate'>): Report['gate']['benchmarks'] {
  const compared = new Set(comparisons.map((one) => comparisonKey(one)));
  return gate.benchmarks.filter((one) => !compared.has(comparisonKey(one)));
}

function emptyRow(name: string): OverviewRow {
  return { name, method: '', A: '', B: '', estimate: '', interval: '', verdict: '', comparison: null };
}

function shownName(comparison: Pick<Comparison, 'benchmark' | 'params'>, benchmark: string): string {
  return benchmarkName({ ...comparison, benchmark, method: 'sync-duet' });
}

/** Commands and benchmarks that are faster than A by themselves, but not among so many: the correction that the gate has for slower ones. */
function notCountedFaster({ comparisons, gate }: Report): ReadonlySet<Comparison> {
  const tested = testedOf(comparisons);
  if (gate.correction === 'none') return new Set();
  const adjusted = adjustPValues(
    tested.map(({ pValues }) => Math.max(pValues.least, pValues.faster)),
    gate.correction,
  );
  return new Set(tested.filter(({ verdict }, index) => verdict === 'faster' && (adjusted[index] ?? 1) > gate.level));
}

/** The command that all others were compared with stands among them, where its ratio of 1 belongs. */
function withReference(
  rows: readonly OverviewRow[],
  { comparisons, view }: { readonly comparisons: readonly Comparison[]; readonly view: ResultView },
): readonly OverviewRow[] {
  const tested = testedOf(comparisons);
  const [first] = tested;
  if (first === undefined) return rows;
  const { textOf } = decidedTexts(first, view.timeUnit);
  const mean = tested.reduce((sum, { sides }) => sum + sides.A.mean, 0) / tested.length;
  const amount =
    tested.reduce((sum, one) => sum + judgedAmount(one, decidedTexts(one).amounts, 'A'), 0) / tested.length;
  const row: OverviewRow = {
    ...emptyRow(`A  ${printable(first.sides.A.name)}`),
    B: textOf(amount),
    interval: 'all others are compared with it',
  };
  const { sort = 'auto' } = view;
  const isByRatio = sort === 'auto' || sort === 'ratio';
  const place = isByRatio
    ? tested.filter((one) => one.interval.estimate < 1).length
    : sort === 'mean-time'
      ? tested.filter(({ sides }) => sides.B.mean < mean).length
      : 0;
  return rows.toSpliced(place, 0, row);
}

/** The geometric mean of the ratios of each method and version, which has no verdict: it hides what a single benchmark shows. */
function geometricMeans(
  comparisons: readonly Comparison[],
  methodOf: (one: Comparison) => string,
): readonly OverviewRow[] {
  const tested = testedOf(comparisons);
  const versions = new Set(tested.map(({ params }) => params['version']));
  const groups = new Map<string, Comparison[]>();
  for (const one of tested) {
    const { version } = one.params;
    const params = versions.size > 1 && version !== undefined ? { version } : {};
    const key = JSON.stringify([shownName({ benchmark: '', params }, 'geometric mean'), methodOf(one)]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].flatMap(([key, own]) => {
    const [name = '', method = ''] = JSON.parse(key) as string[];
    if (own.length < 2) return [];
    const log = own.reduce((sum, one) => sum + Math.log(one.interval.estimate), 0) / own.length;
    return [{ ...emptyRow(name), method, estimate: formatDifference(Math.exp(log), 1) }];
  });
}

/** The distinct texts of all comparisons; of several the smallest and the largest number of what is counted. */
function captionOf(comparisons: readonly Comparison[]): string {
  function distinct(text: (one: Comparison) => string): readonly string[] {
    return [...new Set(comparisons.map(text))];
  }
  const runs = distinct(runsOf);
  const isOfIterations = comparisons.every(
    ({ iterationsPerRun, hosts }) => iterationsPerRun > 1 && hosts === undefined,
  );
  const counts = comparisons.map((one) => one.runs);
  const slowdowns = comparisons.map(({ minimalDetectableSlowdown: one }) => one).toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [slowdowns[0], slowdowns.at(-1)];
  const [from, to] = [formatShare(least), formatShare(most)];
  const found = from === to ? to : `${from} ${most >= endless ? 'or more' : `to ${to}`}`;
  return [
    `${distinct((one) => formatChosenShare(one.interval.level)).join(' or ')} CI`,
    runs.length === 1
      ? `${runs[0] ?? ''}${isOfIterations ? ' iterations' : ''}`
      : `${Math.min(...counts)} to ${countOf(Math.max(...counts), 'run')}`,
    distinct(({ method }) => method).join(', '),
    `decided by ${distinct(({ metric }) => metricKinds[metric].name).join(', ')}`,
    least >= endless
      ? 'too few runs to find any slowdown'
      : `the smallest slowdown that is found in 4 of 5 experiments is ${found}`,
  ].join(', ');
}

interface OverviewLayout {
  /** `null` = lines may be as long as they want. */
  readonly width: number | null;
  readonly proseWidth: number;
  readonly colors: Colors;
}

/** Narrower than this the times are left out, and then a row becomes two lines. */
const leastName = 16;

/** The table of all comparisons, and what belongs to all of them. */
export function overviewLines(
  report: Report,
  overview: Overview,
  { width, proseWidth, colors }: OverviewLayout,
): readonly string[] {
  const { heads, rows, caption } = overview;
  const room = width ?? Number.POSITIVE_INFINITY;
  const hasA = heads.A !== '';
  const hasMethod = heads.method !== '';
  function columns(withTimes: boolean, longest: number): readonly (readonly string[])[] {
    return [{ ...heads, interval: '', verdict: 'verdict', comparison: null }, ...rows].map(
      ({ name, method, A, B, estimate, interval, verdict }) => [
        shorten(name, longest),
        ...(hasMethod ? [method] : []),
        ...(withTimes ? [...(hasA ? [A] : []), B] : []),
        estimate,
        interval,
        verdict,
      ],
    );
  }
  function lengthOf(lines: readonly string[]): number {
    return Math.max(0, ...lines.map(({ length }) => length));
  }
  const longest = Math.max(...rows.map(({ name }) => name.length), heads.name.length);
  for (const withTimes of [true, false]) {
    const figures = withTimes ? (hasA ? 3 : 2) : 1;
    function isRight(column: number): boolean {
      const figure = column - (hasMethod ? 1 : 0);
      return figure > 0 && figure <= figures;
    }
    const whole = alignCells(columns(withTimes, longest), isRight);
    const over = lengthOf(whole) - room;
    if (over > 0 && longest - over < leastName) continue;
    const lines = over > 0 ? alignCells(columns(withTimes, longest - over), isRight) : whole;
    return [...sideLines(report, colors), ...paint(lines, { rows, colors }), ...wrapText(caption, proseWidth)];
  }
  const pairs = rows.flatMap(({ name, method, estimate, interval, verdict }) => [
    ...wrapText(method === '' ? name : `${name}, ${method}`, proseWidth),
    ...wrapText(`${estimate} ${interval} ${verdict}`.trim(), proseWidth - 2).map((line) => `  ${line}`),
  ]);
  return [...sideLines(report, colors), ...pairs, ...wrapText(caption, proseWidth)];
}

/** The commands of both sides, where all of several benchmarks have the same; else empty. */
export function commonSides(comparisons: readonly Comparison[]): readonly Detail[] {
  const [first, second] = comparisons;
  if (first === undefined || second === undefined || isRanking(comparisons) || isSelfComparison(first)) return [];
  if (!comparisons.every(({ sides: own }) => sides.every((side) => own[side].command === first.sides[side].command)))
    return [];
  return sides.map((side) => ({ label: side, text: commandOf(first, side) }));
}

function sideLines({ comparisons }: Report, colors: Colors): readonly string[] {
  return commonSides(comparisons).map(({ label, text }) => `${colors.bold(label)}  ${text}`);
}

function paint(
  [head = '', ...lines]: readonly string[],
  { rows, colors }: { readonly rows: readonly OverviewRow[]; readonly colors: Colors },
): readonly string[] {
  return [
    colors.bold(head),
    ...lines.map((line, index) => {
      const row = rows[index];
      if (row === undefined || row.comparison === null) return line;
      const { verdict } = row.comparison;
      const word = verdictWords[verdict];
      const at = line.lastIndexOf(word);
      return at === -1 ? line : line.slice(0, at) + colorVerdict(verdict, colors) + line.slice(at + word.length);
    }),
  ];
}

/** Warnings of the experiment that no comparison has. */
export function commonWarnings({
  warnings,
  comparisons,
}: Pick<Report, 'warnings' | 'comparisons'>): readonly Warning[] {
  const shown = comparisons.flatMap((comparison) => comparison.warnings);
  return warnings.filter(
    ({ code, message }) => !shown.some((other) => other.code === code && other.message === message),
  );
}

/** Most warnings of one code about no comparison in a list, such as those that name a benchmark which was not compared. */
const mostOfCode = 3;

/**
 * Every warning of a report once a code, with the number of benchmarks that it is about and its message for the first of them. Warnings that no
 * comparison has say something different each, and stand alone.
 */
export function warningsByCode({ warnings, comparisons }: Pick<Report, 'warnings' | 'comparisons'>): readonly {
  readonly code: Warning['code'];
  /** Benchmarks; 0 = it is about none that was compared. */
  readonly benchmarks: number;
  readonly message: string;
}[] {
  const found = new Map<Warning['code'], { about: Comparison[]; messages: Set<string> }>();
  for (const comparison of comparisons) {
    for (const { code, message } of comparison.warnings) {
      const entry = found.get(code) ?? { about: [], messages: new Set() };
      found.set(code, entry);
      if (entry.about.at(-1) !== comparison) entry.about.push(comparison);
      entry.messages.add(message);
    }
  }
  const methodOf = methodNamer(comparisons);
  const compared = Array.from(found, ([code, { about, messages }]) => {
    const [message = ''] = messages;
    const [first] = about;
    const method = first === undefined ? '' : methodOf(first);
    const name =
      first === undefined
        ? ''
        : method === ''
          ? benchmarkName(first)
          : `${shownName(first, first.benchmark)} (${method})`;
    const benchmarks = benchmarksIn(about);
    const all = countOf(benchmarksIn(comparisons), 'benchmark');
    const scope =
      about.length === 1 ? name : `in ${benchmarks} of ${all}${messages.size === 1 ? '' : `, first ${name}`}`;
    return { code, benchmarks, message: `${scope}: ${message}` };
  });
  const common = new Map<Warning['code'], Set<string>>();
  for (const { code, message } of warnings) common.set(code, (common.get(code) ?? new Set()).add(message));
  const ofAll = Array.from(common, ([code, messages]) => {
    const shown = [...messages].slice(0, mostOfCode);
    const more = messages.size > shown.length ? ` (and ${messages.size - shown.length} more like it)` : '';
    return shown.map((message, place) => ({
      code,
      benchmarks: 0,
      message: `${message}${place === shown.length - 1 ? more : ''}`,
    }));
  }).flat();
  return [...compared, ...ofAll];
}
