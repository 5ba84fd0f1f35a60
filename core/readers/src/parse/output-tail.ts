import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { BuiltInParser } from '@deadheat/model';
import { builtInParsers } from './built-in-parsers.ts';
import { type ParsedIteration, ParserError } from './output-parser.ts';

/** Number of bytes that are read at once at most, so that one reading takes milliseconds at most. */
const mostBytes = 1 << 20;
/** A longer line describes no iteration. */
const longestLine = 100_000;
const lineFeed = 0x0a;

/** Lines that the parsers look at which read iterations while a program prints them. */
const printedLines: Readonly<Partial<Record<BuiltInParser, RegExp>>> = {
  renaissance: /^====== /,
  dacapo: /^===== /,
  scalabench: /^===== /,
  jmh: /^(?:# (?:Warmup|Measurement|Benchmark|Parameters)|Iteration )/,
  go: /^Benchmark/,
};

/** True if a parser finds iterations in the output while a program prints it. */
export function readsAsItComes(parser: BuiltInParser): boolean {
  return printedLines[parser] !== undefined;
}

/** Finds iterations in the output of a program while it is printed: whole lines, of which only the matching ones are kept. */
export class OutputTail {
  readonly #path: string;
  readonly #parser: BuiltInParser;
  readonly #pattern: RegExp;
  readonly #decoder = new StringDecoder('utf8');
  readonly #kept: string[] = [];
  #iterations: readonly ParsedIteration[] = [];
  #position = 0;
  #bytes = 0;
  #rest = '';
  #fd: number | null = null;
  #buffer: Buffer | null = null;

  /** @throws RangeError for a parser that reads whole texts only */
  constructor(path: string, parser: BuiltInParser) {
    const pattern = printedLines[parser];
    if (pattern === undefined) throw new RangeError(`${parser} does not read what is printed while it is`);
    this.#path = path;
    this.#parser = parser;
    this.#pattern = pattern;
  }

  /** The iterations found so far; grows. */
  get iterations(): readonly ParsedIteration[] {
    return this.#iterations;
  }

  /** Bytes of the whole lines that were read. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Reads on, 1 MB at most; gives how many bytes there were, 0 while there is no file.
   *
   * @throws ParserError `PARSER_FAILED` when it is not as its format has it; an error of the system when the file cannot be read
   */
  read(): number {
    try {
      this.#fd ??= openSync(this.#path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
    this.#buffer ??= Buffer.allocUnsafe(mostBytes);
    const bytes = readSync(this.#fd, this.#buffer, 0, mostBytes, null);
    if (bytes === 0) return 0;
    const end = this.#buffer.lastIndexOf(lineFeed, bytes - 1) + 1;
    if (end > 0) this.#bytes = this.#position + end;
    this.#position += bytes;
    this.#take(this.#rest + this.#decoder.write(this.#buffer.subarray(0, bytes)));
    return bytes;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
    this.#buffer = null;
  }

  #take(text: string): void {
    const lines = text.split('\n');
    this.#rest = (lines.pop() ?? '').slice(0, longestLine);
    const matching = lines.filter((line) => this.#pattern.test(line));
    if (matching.length === 0) return;
    this.#kept.push(...matching);
    try {
      this.#iterations = builtInParsers[this.#parser](this.#kept.join('\n'));
    } catch (cause) {
      throw new ParserError('PARSER_FAILED', `stdout is not as ${this.#parser} writes it`, { cause });
    }
  }
}
