import type { Parser } from '@deadheat/model';
import { builtInParsers } from './built-in-parsers.ts';
import { type ParsedIteration, type ParserContext, ParserError } from './output-parser.ts';
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

function isTime(value: unknown): boolean {
  return Number.isFinite(value) && (value as number) >= 0;
}
function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}
function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
function isRecordOf(isValue: (value: unknown) => boolean) {
  return (value: unknown): boolean =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isValue);
}

interface Key {
  readonly holds: (value: unknown) => boolean;
  readonly expected: string;
}

const time: Key = { holds: isTime, expected: 'a number of ns that is not negative' };
const keys: Readonly<Record<keyof ParsedIteration, Key>> = {
  startNs: time,
  endNs: time,
  durationNs: time,
  line: { holds: isCount, expected: 'the number of a line, from 1' },
  phase: { holds: (value) => value === 'warmup' || value === 'measure', expected: "'warmup' or 'measure'" },
  invocations: { holds: isCount, expected: 'a whole number of at least 1' },
  benchmark: { holds: isName, expected: 'a name' },
  params: { holds: isRecordOf((value) => typeof value === 'string'), expected: 'an object of texts' },
  metrics: { holds: isRecordOf((value) => Number.isFinite(value)), expected: 'an object of numbers' },
};

/**
 * The result of a parser, checked, as iterations.
 *
 * @throws ParserError `PARSER_RESULT` that names the first place that is wrong, such as `[3].durationNs`
 */
export function checkIterations(value: unknown): readonly ParsedIteration[] {
  if (!Array.isArray(value)) throw wrong('it', 'a list of iterations', value);
  for (const [index, iteration] of (value as readonly unknown[]).entries()) {
    const place = `[${index}]`;
    if (typeof iteration !== 'object' || iteration === null) throw wrong(place, 'an iteration', iteration);
    for (const [name, given] of Object.entries(iteration) as [string, unknown][]) {
      if (!Object.hasOwn(keys, name)) {
        throw new ParserError(
          'PARSER_RESULT',
          `what it returned has a key that is not known, ${place}.${name}; further numbers belong into metrics`,
        );
      }
      const key = keys[name as keyof ParsedIteration];
      if (given !== undefined && !key.holds(given)) throw wrong(`${place}.${name}`, key.expected, given);
    }
    const { startNs, endNs, durationNs } = iteration as ParsedIteration;
    if (durationNs === undefined && (startNs === undefined || endNs === undefined)) {
      throw wrong(place, 'two of startNs, endNs and durationNs, or durationNs', iteration);
    }
  }
  return value as readonly ParsedIteration[];
}

function wrong(place: string, expected: string, found: unknown): ParserError {
  const shown = found === undefined ? 'nothing' : (JSON.stringify(found) ?? typeof found);
  return new ParserError(
    'PARSER_RESULT',
    `what it returned is wrong at ${place}: expected ${expected}, found ${shown.slice(0, 80)}`,
  );
}
