import type { Benchmark } from './benchmark.ts';
import type { Outcome } from './execute.ts';
import { formatIn, formatTime, unitOf } from './format-time.ts';
import { summarize } from './summarize.ts';

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
