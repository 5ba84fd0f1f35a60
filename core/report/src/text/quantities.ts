import type { Comparison, Quantity } from '@deadheat/model';
import { alignCells, type Colors, wrapText } from './layout.ts';
import { chooseTimeUnit, countOf, formatChosenShare, formatInterval, formatRatio } from './numbers.ts';
import { nameOf, printable } from './printable.ts';

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
export function quantityText({ A, B, ratio, verdict }: Quantity): string {
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
  return Array.from(rowsOf, ([name, rows]) => {
    const isLong = rows.length > mostOfQuantity;
    const changed = rows.filter(([, { verdict }]) => verdict === 'more' || verdict === 'less');
    const shown = isLong ? changed.slice(0, mostOfQuantity) : rows;
    const lines = alignCells(
      [
        [name, 'A', 'B', 'B against A', '', ''],
        ...shown.map(([comparison, { A, B, ratio, verdict }]) => {
          const ends = ratio === null ? null : formatInterval(ratio);
          const interval = ends === null ? '' : `[${ends.low} … ${ends.high}]`;
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
    const rest = `${changed.length} of ${countOf(rows.length, 'benchmark')} changed`;
    const more = changed.length > shown.length ? `, ${shown.length} of them are shown` : '';
    return ['', colors.bold(head), ...body, ...(isLong ? wrapText(`${rest}${more}`, proseWidth) : [])];
  }).flat();
}
