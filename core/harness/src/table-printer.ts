import type { Benchmark } from './benchmark.ts';
import type { Outcome } from './execute.ts';

const units = [
  { name: 's', ns: 1e9 },
  { name: 'ms', ns: 1e6 },
  { name: 'µs', ns: 1e3 },
  { name: 'ns', ns: 1 },
] as const;

type Unit = (typeof units)[number];

/** The largest unit in which a time is at least 1; nanoseconds below that. */
function unitOf(ns: number): Unit {
  return units.find((unit) => Math.abs(ns) >= unit.ns) ?? units[3];
}

/** A time in a unit, with four digits and at most three decimals. */
export function formatTime(ns: number, unit: Unit = unitOf(ns)): string {
  return `${formatIn(ns, unit)} ${unit.name}`;
}

/** The text of {@link formatTime} without the unit. */
function formatIn(ns: number, unit: Unit): string {
  const value = ns / unit.ns;
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : Math.abs(value) >= 10 ? 2 : 3;
  return value.toFixed(digits);
}

/**
 * The value that Student's t stays below with probability 0.975: exact for 1 and 2 degrees of freedom, from there by the
 * expansion of Abramowitz & Stegun 26.7.5, which is 0.13 % low for 3 and better than 0.01 % from 6 on.
 *
 * @param degrees degrees of freedom, a whole number from 1
 */
export function tQuantile975(degrees: number): number {
  const p = 0.975;
  if (degrees === 1) return Math.tan(Math.PI * (p - 0.5));
  if (degrees === 2) return (2 * p - 1) * Math.sqrt(2 / (4 * p * (1 - p)));
  const z = 1.959963984540054;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, k) => sum + term / degrees ** (k + 1), z);
}

/** A row of the table: statistics of a benchmark, in the unit of the sample. */
interface Summary {
  readonly median: number;
  readonly mean: number;
  /** 95 % t interval of the mean; `null` below two values. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Standard deviation relative to the mean; `null` below two values and where the mean is 0. */
  readonly variation: number | null;
}

/**
 * Sums up the iterations of one process. They are not independent, and another process may be faster or slower as a
 * whole: the interval says how well this process's mean is known, not more.
 *
 * @param times at least one
 */
export function summarize(times: readonly number[]): Summary {
  const n = times.length;
  const sorted = times.toSorted((a, b) => a - b);
  const [lower = Number.NaN, upper = Number.NaN] = [sorted[(n - 1) >> 1], sorted[n >> 1]];
  const mean = times.reduce((sum, time) => sum + time, 0) / n;
  const summary = { median: (lower + upper) / 2, mean };
  if (n < 2) return { ...summary, interval: null, variation: null };
  const deviation = Math.sqrt(times.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (n - 1));
  const half = (tQuantile975(n - 1) * deviation) / Math.sqrt(n);
  return {
    ...summary,
    interval: { low: mean - half, high: mean + half },
    variation: mean > 0 ? deviation / mean : null,
  };
}

/** Where the table goes: a stream that may be a terminal. */
interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

const columns = ['median', 'mean, 95 % interval', 'spread', 'iterations'] as const;
const widths = [11, 31, 8, 0] as const;

/** Prints a line as soon as a benchmark is done. Colours only on a terminal, and not where `NO_COLOR` is set. */
export class TablePrinter {
  readonly #output: Output;
  readonly #nameWidth: number;
  readonly #colors: boolean;
  #begun = false;

  /** `expected`: what will be printed, as far as it is known: the widest of them makes the first column. */
  constructor(output: Output, expected: readonly Benchmark[]) {
    this.#output = output;
    this.#nameWidth = Math.max('benchmark'.length, ...expected.map((benchmark) => label(benchmark).length));
    this.#colors = output.isTTY === true && (process.env['NO_COLOR'] ?? '') === '';
  }

  print(outcome: Outcome): void {
    if (!this.#begun) this.#line('benchmark', columns, (text) => this.#style(1, text));
    this.#begun = true;
    this.#line(label(outcome.benchmark), cells(outcome), (text) => text);
  }

  #line(first: string, rest: readonly string[], style: (text: string) => string): void {
    const padded = rest.map((cell, column) => cell.padEnd(widths[column] ?? 0));
    const text = `${first.padEnd(this.#nameWidth)}  ${padded.join('  ')}`.trimEnd();
    this.#output.write(`${style(text)}\n`);
  }

  #style(code: number, text: string): string {
    return this.#colors ? `\u001B[${code}m${text}\u001B[0m` : text;
  }
}

function cells({ times, warmup, invocations }: Outcome): readonly string[] {
  const count = `${times.length} x ${invocations}${warmup > 0 ? `, after ${warmup} of warm-up` : ''}`;
  if (times.length === 0) return ['-', '-', '-', count];
  const { median, mean, interval, variation } = summarize(times);
  const unit = unitOf(mean);
  const range = interval === null ? '' : ` [${formatIn(interval.low, unit)} … ${formatIn(interval.high, unit)}]`;
  return [
    formatTime(median),
    `${formatTime(mean, unit)}${range}`,
    variation === null ? '-' : `${(variation * 100).toFixed(1)} %`,
    count,
  ];
}

function label({ name, paramTexts }: Benchmark): string {
  return [name, ...Object.entries(paramTexts).map(([key, value]) => `${key}=${value}`)].join(' ');
}
