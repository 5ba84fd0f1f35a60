import { DeadheatError, type Params, type Phase, type Side } from '@deadheat/model';

/** The facts that a parser gets about the text that it reads. */
export interface ParserContext {
  /** The benchmark as the configuration calls it. */
  readonly benchmark: string;
  readonly params: Params;
  readonly side: Side;
  /** `stdout`, or the name of the file that the program wrote. */
  readonly source: string;
}

/**
 * An iteration that a parser found. It needs two of start, end and duration, or a duration alone; then `line` lets its end
 * be the time at which that line was seen. Times are ns of any clock, but of the same for both sides.
 */
export interface ParsedIteration {
  readonly startNs?: number | undefined;
  readonly endNs?: number | undefined;
  readonly durationNs?: number | undefined;
  /** Line, from 1, that reported its end. */
  readonly line?: number | undefined;
  /** Absent: the configuration's rule decides what is warm-up. */
  readonly phase?: Phase | undefined;
  /** Invocations that it held, whole; 1 when absent. */
  readonly invocations?: number | undefined;
  /** Name of the benchmark, in a program that holds several. */
  readonly benchmark?: string | undefined;
  readonly params?: Params | undefined;
  /** Further numbers, by name. */
  readonly metrics?: Readonly<Record<string, number>> | undefined;
}

/** Finds iterations, in their order, in what a program printed or wrote: the default export of a user's parser. */
export type OutputParser = (
  text: string,
  context: ParserContext,
) => readonly ParsedIteration[] | Promise<readonly ParsedIteration[]>;

/**
 * Why no iterations could be taken from what a program printed or wrote.
 *
 * - `RESULTS_NOT_FOUND`, `RESULTS_AMBIGUOUS`: the run wrote no such file, or several.
 * - `RESULTS_TOO_LARGE`, `RESULTS_NOT_READABLE`: it cannot be read as a text.
 * - `PARSER_NOT_LOADED`: the module is not there, is no module, or exports no function.
 * - `PARSER_FAILED`: it threw, or ended its thread. Built-in parsers: the text is not as its format says.
 * - `PARSER_TIMEOUT`, `PARSER_MEMORY`: it took too long, or too much memory.
 * - `PARSER_RESULT`: what it returned are no iterations.
 * - `NO_TIMES`: it is not known when the iterations ran, which the method needs.
 */
export type ParserErrorCode =
  | 'RESULTS_NOT_FOUND'
  | 'RESULTS_AMBIGUOUS'
  | 'RESULTS_TOO_LARGE'
  | 'RESULTS_NOT_READABLE'
  | 'PARSER_NOT_LOADED'
  | 'PARSER_FAILED'
  | 'PARSER_TIMEOUT'
  | 'PARSER_MEMORY'
  | 'PARSER_RESULT'
  | 'NO_TIMES';

/** The output or results of a program cannot be used; the message holds the reason and the advice. */
export class ParserError extends DeadheatError<ParserErrorCode> {
  override readonly name = 'ParserError';
}
