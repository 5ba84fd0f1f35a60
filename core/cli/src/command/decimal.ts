/** A decimal number without rounding: `units` / 10^`places`. */
export interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

/** Reads `-12`, `0.25`; `null` for anything else, exponents included, and for more than 30 digits. */
export function parseDecimal(text: string): Decimal | null {
  const parts = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text);
  if (parts === null) return null;
  const fraction = parts[3] ?? '';
  return { units: BigInt(`${parts[1]}${parts[2]}${fraction}`), places: fraction.length };
}

/**
 * The numbers `from`, `from` + `step` … up to `to`, written with as many decimals as the most exact of the three;
 * the first `most` of them.
 */
export function countByDecimals(
  from: Decimal,
  { to, step, most }: { readonly to: Decimal; readonly step: Decimal; readonly most: number },
): readonly string[] {
  const places = Math.max(from.places, to.places, step.places);
  const [first, last, delta] = [from, to, step].map(({ units, places: own }) => units * 10n ** BigInt(places - own));
  const numbers: string[] = [];
  if (first === undefined || last === undefined || delta === undefined) return numbers;
  for (let value = first; value <= last && numbers.length < most; value += delta) {
    numbers.push(writeDecimal(value, places));
  }
  return numbers;
}

function writeDecimal(units: bigint, places: number): string {
  const digits = `${units < 0n ? -units : units}`.padStart(places + 1, '0');
  const sign = units < 0n ? '-' : '';
  return places === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
