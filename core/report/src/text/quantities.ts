import {
  type Comparison,
  isResourceMetric,
  metricKinds,
  type Quantity,
  type ResourceMetric,
  type Side,
} from '@deadheat/model';
import { alignCells, type Colors, wrapText } from './layout.ts';
import {
  chooseTimeUnit,
  countOf,
  formatChosenShare,
  formatInterval,
  formatRatio,
  formatTime,
  groupDigits,
  type TimeUnit,
  unitOfBoth,
} from './numbers.ts';
import { methodNamer, nameOf, printable } from './printable.ts';

/** Rows of a quantity that are shown of very many benchmarks: those that changed, at most so many. */
const mostOfQuantity = 10;

const quantityWords: Readonly<Record<Quantity['verdict'], string>> = {
  more: 'MORE',
  less: 'LESS',
  same: 'SAME',
  undecided: 'UNDECIDED',
};

/** A value of a quantity with four digits. */
export function formatAmount(value: number): string {
  return Number.isInteger(value) ? `${value}` : `${Number(value.toPrecision(4))}`;
}

/** A unit in which amounts of a quantity are given. */
export interface AmountUnit {
  readonly name: string;
  /** By what an amount in its own unit is multiplied. */
  readonly factor: number;
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/**
 * The unit in which amounts of about this size are given: a unit of time for `ns`, of memory for `bytes`, else the own one.
 *
 * @param unit of the amounts; `null` = they are numbers
 */
export function chooseAmountUnit(value: number, unit: string | null): AmountUnit {
  if (unit === 'ns') {
    const { name, perSecond } = chooseTimeUnit(value / 1e9);
    return { name, factor: perSecond / 1e9 };
  }
  if (unit === 'bytes') {
    const power = Math.min(byteUnits.length - 1, Math.max(0, Math.floor(Math.log2(Math.abs(value)) / 10)));
    return { name: byteUnits[power] ?? 'B', factor: 1 / 1024 ** power };
  }
  return { name: unit ?? '', factor: 1 };
}

/** An amount in a unit, with four digits: `48.25 MiB`. */
export function formatAmountIn(value: number, { name, factor }: AmountUnit): string {
  return `${formatAmount(value * factor)} ${printable(name)}`.trimEnd();
}

/** `heap (B/iter)`; a name that is the unit itself stays as it is. */
export function quantityName({ name, unit }: Pick<Quantity, 'name' | 'unit'>): string {
  return printable(unit === null || unit === '' || unit === name ? name : `${name} (${unit})`);
}

/** `16 to 32, +100.0 % [+94.2 % … +106.0 %]: more`. */
export function quantityText({ A, B, ratio, verdict, isConstant }: Quantity): string {
  if (isConstant) return `${formatAmount(A.mean)} -> ${formatAmount(B.mean)} in every run: ${verdict}`;
  const means = `A ${formatAmount(A.mean)}, B ${formatAmount(B.mean)}`;
  const change = ratio === null ? '' : `, ${formatRatio(ratio)}, ${formatChosenShare(ratio.level)} CI`;
  return `${means}${change}: ${verdict}`;
}

function narrowRow(
  comparison: Comparison,
  { one, proseWidth }: { readonly one: Quantity; readonly proseWidth: number },
): readonly string[] {
  const text = wrapText(quantityText(one), proseWidth - 2).map((line) => `  ${line}`);
  return [...wrapText(nameOf(comparison), proseWidth), ...text];
}

/** A table for each quantity that is no time; of very many benchmarks those that changed. */
export function quantityLines(
  comparisons: readonly Comparison[],
  {
    colors,
    proseWidth,
    width,
  }: { readonly colors: Colors; readonly proseWidth: number; readonly width: number | null },
): readonly string[] {
  const rowsOf = new Map<string, (readonly [Comparison, Quantity])[]>();
  for (const comparison of comparisons) {
    for (const quantity of comparison.quantities ?? []) {
      const name = quantityName(quantity);
      rowsOf.set(name, [...(rowsOf.get(name) ?? []), [comparison, quantity]]);
    }
  }
  const methodOf = methodNamer(comparisons);
  const noun = comparisons.some((one) => methodOf(one) !== '') ? 'comparison' : 'benchmark';
  return Array.from(rowsOf, ([name, rows]) => {
    const isLong = rows.length > mostOfQuantity;
    const changed = rows.filter(([, { verdict }]) => verdict === 'more' || verdict === 'less');
    const shown = isLong ? changed.slice(0, mostOfQuantity) : rows;
    const lines = alignCells(
      [
        [name, 'A', 'B', 'B against A', '', ''],
        ...shown.map(([comparison, { A, B, ratio, verdict, isConstant }]) => {
          const ends = ratio === null ? null : formatInterval(ratio);
          const interval = isConstant ? 'in every run' : ends === null ? '' : `[${ends.low} … ${ends.high}]`;
          const values = [formatAmount(A.mean), formatAmount(B.mean), ends?.estimate ?? '', interval];
          return [nameOf(comparison), ...values, quantityWords[verdict]];
        }),
      ],
      (column) => column > 0 && column < 4,
    );
    const room = width ?? Number.POSITIVE_INFINITY;
    const [head = '', ...body] = lines.every((line) => line.length <= room)
      ? lines
      : [name, ...shown.flatMap(([comparison, one]) => narrowRow(comparison, { one, proseWidth }))];
    const rest = `${changed.length} of ${countOf(rows.length, noun)} changed`;
    const more = changed.length > shown.length ? `, ${shown.length} of them are shown` : '';
    return ['', colors.bold(head), ...body, ...(isLong ? wrapText(`${rest}${more}`, proseWidth) : [])];
  }).flat();
}

type Centres = NonNullable<Comparison['decided']>;

/** Typical and mean use of the metric that decides as texts, in one unit. */
interface DecidedTexts {
  /** Short name of the metric. */
  readonly name: string;
  /** A text for an amount of it. */
  readonly textOf: (amount: number) => string;
  readonly amounts: Centres;
}

/** Longest name of a metric in the head of a table; a longer one has its name in options there. */
const longestName = 12;

/** The amounts of the metric that decides, or of that of the sides in files of other tools, with a text for them in the unit that was asked for. */
export function decidedTexts(comparison: Comparison, asked: TimeUnit['name'] | null = null): DecidedTexts {
  const { sides, decided } = comparison;
  const metric = decided === undefined ? sides.A.metric : comparison.metric;
  const amounts = decided ?? { A: centreOf(sides.A), B: centreOf(sides.B) };
  const { name } = metricKinds[metric];
  const head = name.length > longestName ? metric : name;
  if (isResourceMetric(metric)) return { name: head, textOf: (amount) => formatResource(metric, amount), amounts };
  const unit = unitOfBoth([amounts.A.mean / 1e9, amounts.B.mean / 1e9], asked);
  return { name: head, textOf: (ns) => formatTime(ns / 1e9, unit), amounts };
}

/** The amounts of the quantity that the ratio is of: of typical runs, or in sum. */
export function judgedAmount({ judge }: Pick<Comparison, 'judge'>, amounts: Centres, side: Side): number {
  return judge === 'total' ? amounts[side].mean : amounts[side].typical;
}

function centreOf({ median, mean }: Comparison['sides']['A']): Centres['A'] {
  return { typical: median * 1e9, mean: mean * 1e9 };
}

/** An amount of a resource: memory in MiB, else a number. */
export function formatResource(metric: ResourceMetric, value: number): string {
  return metricKinds[metric].unit === 'bytes' ? `${(value / 2 ** 20).toFixed(1)} MiB` : groupDigits(value.toFixed(0));
}
