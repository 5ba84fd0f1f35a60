import { checkParameterName, createExcerpt, type Parameter, UsageError } from 'deadheat/settings';
import { countByDecimals, parseDecimal, type Decimal } from './decimal.ts';
import { splitFoldedValue } from './fold-values.ts';

const flag = '--parameter-scan';

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
    throw new UsageError('MISSING_VALUE', `${flag} needs a name and two numbers: ${flag} threads 1 8`);
  }
  const words = [flag, ...values];
  checkParameterName(words, name);
  const [low, high] = [readBound(words, 2), readBound(words, 3)];
  if (Number(from) >= Number(to)) {
    const message = `${flag} ${name} must go from a smaller to a larger number, not from ${from} to ${to}`;
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
  const message = `the ends of ${flag} must be numbers such as 1 or 0.5, not '${text}'`;
  throw new UsageError('BAD_VALUE', message, { excerpt: createExcerpt(words, { at }) });
}
