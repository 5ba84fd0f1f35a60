import type { LinePattern, TimeUnit } from '@deadheat/model';
import { readWholeLines, RecordError, recordVersion } from '@deadheat/recording';
import { matchLines } from './match-lines.ts';

const maximumLineBytes = 10_000_000;
const digits: Readonly<Record<TimeUnit, number>> = { ns: 0, us: 3, ms: 6, s: 9 };

/**
 * Makes a record of the iterations that a pattern finds in what a program printed. Times stay on the program's own
 * clock.
 *
 * @param from file of what the program printed
 * @returns the lines of the record
 * @throws RecordError `MALFORMED` with file and line where a group is not a time, `NOT_FOUND`, `NOT_READABLE` or `IO`; ParserError as
 *   `matchLines`
 */
export async function recordLines(
  from: string,
  { benchmark, lines }: { readonly benchmark: string; readonly lines: LinePattern },
): Promise<readonly string[]> {
  const record = [JSON.stringify({ deadheat: recordVersion, benchmark })];
  let before: bigint | null = null;
  for await (const { line, groups } of matchLines(lines.pattern, readText(from))) {
    function time(name: string): bigint | null {
      const text = groups[name];
      if (text === undefined) return null;
      const value = toNanoseconds(text, digits[lines.unit]);
      if (value === null) throw notATime({ from, line, name, text });
      return value;
    }
    const span = spanOf(time, before);
    before = time('time') ?? before;
    if (span === null) continue;
    const phase = groups['phase'] === 'warmup' ? ',"p":"warmup"' : '';
    record.push(`{"i":${record.length - 1},"s":${span.start},"e":${span.end}${phase}}`);
  }
  return record;
}

function* readText(path: string): Generator<string> {
  const options = {
    maximumBytes: maximumLineBytes,
    tooLong: () => new RecordError('MALFORMED', `${path}: a line above 10 MB`, { path }),
  };
  for (const bytes of readWholeLines(path, options)) yield bytes.toString('utf8');
}

function spanOf(
  time: (name: string) => bigint | null,
  before: bigint | null,
): { readonly start: bigint; readonly end: bigint } | null {
  const moment = time('time');
  if (moment !== null) return before === null ? null : { start: before, end: moment };
  const [start, end, duration] = [time('start'), time('end'), time('duration')];
  if (start !== null && end !== null) return { start, end };
  if (start !== null && duration !== null) return { start, end: start + duration };
  if (end !== null && duration !== null) return { start: end - duration, end };
  return null;
}

/** A decimal number of a unit with `scale` digits below it, in whole ns; `null` for anything else. */
function toNanoseconds(text: string, scale: number): bigint | null {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const fraction = (match[2] ?? '').slice(0, scale).padEnd(scale, '0');
  return BigInt(`${match[1] ?? ''}${fraction}`);
}

function notATime(facts: {
  readonly from: string;
  readonly line: number;
  readonly name: string;
  readonly text: string;
}): RecordError {
  const { from, line, name, text } = facts;
  return new RecordError(
    'MALFORMED',
    `${from}:${line}:1: the group '${name}' of the pattern found '${text.slice(0, 60)}', which is no time. ` +
      'Have the pattern match a decimal number there, such as [0-9.]+.',
    { path: from, line, column: 1 },
  );
}
