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

/** What a program printed or wrote cannot be used; the message says why and what to do. */
export class ParserError extends Error {
  override readonly name = 'ParserError';
  readonly code: ParserErrorCode;

  constructor(code: ParserErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}
