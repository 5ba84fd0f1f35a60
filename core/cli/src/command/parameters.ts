import { checkParameterName, createExcerpt, type Parameter, UsageError } from 'deadheat/settings';
import { splitFoldedValue } from './fold-values.ts';

const scanFlag = '--parameter-scan';

/** A range of numbers that a parameter runs through. */
export interface ParameterScan {
  readonly name: string;
  readonly from: Decimal;
  readonly to: Decimal;
}

/** `-P VAR MIN MAX`, both ends included, MIN below MAX. */
export function parseParameterScan(folded: string): ParameterScan {
  const values = splitFoldedValue(folded);
  const [name, from, to] = values;
  if (name === undefined || from === undefined || to === undefined) {
    throw new UsageError('MISSING_VALUE', `${scanFlag} needs a name and two numbers: ${scanFlag} threads 1 8`);
  }
  const words = [scanFlag, ...values];
  checkParameterName(words, name);
  const [low, high] = [readBound(words, 2), readBound(words, 3)];
  if (Number(from) >= Number(to)) {
    const message = `${scanFlag} ${name} must go from a smaller to a larger number, not from ${from} to ${to}`;
    throw new UsageError('BAD_VALUE', message, { excerpt: createExcerpt(words, { at: 2 }) });
  }
  return { name, from: low, to: high };
}

/** `-D DELTA`: a decimal number above zero. */
export function parseStepSize(value: string): Decimal {
  const step = parseDecimal(value);
  if (step !== null && step.units > 0n) return step;
  const excerpt = createExcerpt(['--parameter-step-size', value], { at: 1 });
  const message = `--parameter-step-size must be a number above 0, not '${value}'`;
  throw new UsageError('BAD_VALUE', message, { excerpt });
}

/** The numbers of a scan in steps of `step`, exact in decimals, as texts; at most `most` + 1 of them. */
export function expandScan(scan: ParameterScan, { step, most }: { step: Decimal; most: number }): Parameter {
  return { name: scan.name, values: countByDecimals(scan.from, { to: scan.to, step, most: most + 1 }) };
}

function readBound(words: readonly string[], at: number): Decimal {
  const text = words[at] ?? '';
  const decimal = parseDecimal(text);
  if (decimal !== null) return decimal;
  const message = `the ends of ${scanFlag} must be numbers such as 1 or 0.5, not '${text}'`;
  throw new UsageError('BAD_VALUE', message, { excerpt: createExcerpt(words, { at }) });
}

const listFlag = '--parameter-list';

/** `-L VAR A,B,C`: the texts between the commas; a comma inside a text is written `\,`. */
export function parseParameterList(folded: string): Parameter {
  const values = splitFoldedValue(folded);
  const [name, list] = values;
  if (name === undefined || list === undefined) {
    throw new UsageError('MISSING_VALUE', `${listFlag} needs a name and a list: ${listFlag} size 10,100,1000`);
  }
  checkParameterName([listFlag, ...values], name);
  if (list === '') {
    const excerpt = createExcerpt([listFlag, ...values], { at: 2 });
    throw new UsageError('BAD_VALUE', `${listFlag} ${name} needs at least one value`, { excerpt });
  }
  const parts = list.match(/(?:\\,|[^,])*(?:,|$)/g) ?? [];
  const texts = parts.slice(0, list.endsWith(',') && !list.endsWith('\\,') ? undefined : -1);
  return { name, values: texts.map((text) => text.replace(/(?<!\\),$/, '').replaceAll('\\,', ',')) };
}

/** A decimal number without rounding: `units` / 10^`places`. */
export interface Decimal {
  readonly units: bigint;
  readonly places: number;
}

/** Reads `-12`, `0.25`; `null` for anything else, exponents included, and for more than 30 digits. */
function parseDecimal(text: string): Decimal | null {
  const parts = /^(-?)(\d{1,15})(?:\.(\d{1,15}))?$/.exec(text);
  if (parts === null) return null;
  const fraction = parts[3] ?? '';
  return { units: BigInt(`${parts[1]}${parts[2]}${fraction}`), places: fraction.length };
}

/**
 * The numbers `from`, `from` + `step` … up to `to`, written with as many decimals as the most exact of the three;
 * the first `most` of them.
 */
function countByDecimals(
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
