import type { Parser } from '@deadheat/model';
import { builtInParsers } from './built-in-parsers.ts';
import { checkIterations } from './check-iterations.ts';
import type { ParsedIteration, ParserContext } from './output-parser.ts';
import { ParserError } from './parser-error.ts';
import { runModule } from './run-module.ts';

/**
 * The iterations that a parser finds in a text.
 *
 * @throws ParserError as `runModule` and `checkIterations`
 */
export async function parseText(
  parser: Parser,
  source: { readonly text: string; readonly context: ParserContext },
): Promise<readonly ParsedIteration[]> {
  if (parser.kind === 'module') return checkIterations(await runModule(parser.path, source));
  try {
    return checkIterations(builtInParsers[parser.name](source.text));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ParserError('PARSER_FAILED', `${source.context.source} is not as ${parser.name} writes it: ${why}`, {
      cause,
    });
  }
}
