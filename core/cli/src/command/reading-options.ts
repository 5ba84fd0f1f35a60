import type { SegmentRequest } from '@deadheat/analysis';
import { type Side, type TimeUnit, timeUnitSchema } from '@deadheat/model';
import { type ColumnMap, columnRoles, formats, type ImportOptions } from '@deadheat/readers';
import { badValue, parseChoice, UsageError } from 'deadheat/settings';
import { choice, count, flag, group, option, type OptionsFor } from './option.ts';

/** Values of {@link readingOptions}. */
export interface ReadingValues {
  /** Ids of one adapter, or of one for A and one for B; `null` = recognized from the contents. */
  readonly format: readonly string[] | null;
  readonly columns: ColumnMap | null;
  readonly unit: TimeUnit | null;
}

const formatNames = formats.map(({ id }) => id);
/** Formats whose columns have to be named, or may be. */
const tables: ReadonlySet<string> = new Set(['csv', 'json-lines', 'parquet']);

/** The options that describe result files of other tools. */
export const readingOptions: OptionsFor<ReadingValues> = group('Result files of other tools:', {
  format: option('--format <NAME>', {
    help: `format of the files, if it cannot be recognized from their contents; NAME,NAME if the two differ: ${formatNames.join(', ')}`,
    parse: () => (typed) => {
      const names = typed.split(',').map(parseChoice('--format', formatNames));
      if (names.length <= 2) return names;
      throw new UsageError('BAD_VALUE', '--format names more than two formats', {
        hint: 'Give one for both files, or two with a comma between them.',
      });
    },
  }),
  columns: option('--columns <MAP>', {
    help: 'names of the columns of a table in CSV or Parquet, or of the keys of JSON lines: time=COLUMN and, if there are such columns, run=, benchmark=, side=, start=, invocations=',
    parse: () => parseColumns,
  }),
  unit: option('--unit <UNIT>', {
    help: 'unit of the times in the column of --columns: ns, us, ms or s',
    parse: choice(timeUnitSchema.options),
    fallback: 'ns',
    needs: ['columns'],
  }),
});

/** Description of result files of other tools. */
export interface ReadingChoices {
  /** Id of the adapter for A and for B; `null` = recognized from the contents. */
  readonly formats: Readonly<Record<Side, string | null>>;
  /** For tables of times; `null` = the file is of a tool. */
  readonly columns: ColumnMap | null;
  readonly unit: TimeUnit;
}

/**
 * The description that the values of {@link readingOptions} give; `null` when none was typed.
 *
 * @throws UsageError `CONFLICT` for columns of a format that has none
 */
export function toReadingChoices({ format, columns, unit }: ReadingValues): ReadingChoices | null {
  if (format === null && columns === null) return null;
  const [A = null, B = A] = format ?? [];
  const tool = [A, B].find((id) => id !== null && !tables.has(id));
  if (columns !== null && tool != null) {
    throw new UsageError('CONFLICT', `--columns is about tables of times, not about ${tool}`, {
      hint: 'Leave one of them out, or say --format csv, --format json-lines or --format parquet.',
    });
  }
  return { formats: { A, B }, columns, unit: unit ?? 'ns' };
}

/**
 * The description for a command whose files are of one format; empty when nothing was typed.
 *
 * @throws UsageError as {@link toReadingChoices}, and `BAD_VALUE` for two formats
 */
export function toImportOptions(values: ReadingValues): ImportOptions {
  const choices = toReadingChoices(values);
  if (choices === null) return {};
  if (choices.formats.A !== choices.formats.B) {
    throw new UsageError('BAD_VALUE', '--format names two formats', { hint: 'Give the one of the files.' });
  }
  return { format: choices.formats.A, columns: choices.columns, unit: choices.unit };
}

/** Reads `time=COLUMN,run=COLUMN,...`: the columns of a table by their roles. */
function parseColumns(typed: string): ColumnMap {
  const map: Partial<Record<(typeof columnRoles)[number], string>> = {};
  const allowed = `ROLE=COLUMN with commas between; the roles are ${columnRoles.join(', ')}`;
  let offset = 0;
  for (const part of typed.split(',')) {
    const at = part.indexOf('=');
    const role = columnRoles.find((one) => one === part.slice(0, at).trim());
    const column = part.slice(at + 1).trim();
    if (at === -1 || role === undefined || column === '' || map[role] !== undefined) {
      throw badValue('--columns', typed, { allowed, offset });
    }
    map[role] = column;
    offset += part.length + 1;
  }
  const { time } = map;
  if (time === undefined) throw badValue('--columns', typed, { allowed, hint: 'One of them must be time=COLUMN.' });
  return { ...map, time };
}

/** The penalty of one change point. */
export type Penalty = NonNullable<SegmentRequest['penalty']>;

/** Values of {@link segmentOptions}. */
export interface SegmentValues {
  readonly segments: boolean;
  readonly steadyWindow: number | null;
  readonly penalty: Penalty | null;
}

const penaltyNames = ['knee', 'bic', 'mbic', 'barrett'] as const;

/** The options that ask for segments of steady performance. */
export const segmentOptions: OptionsFor<SegmentValues> = group('Analysis and verdict:', {
  segments: flag('--segments', {
    help: 'find the points at which the performance changes within a run, show how the intervals change when these are taken into account, and which runs reach a steady state',
  }),
  steadyWindow: option('--steady-window <N>', {
    help: 'with --segments: number of iterations at the end of a run that must be steady',
    parse: count(1),
    fallback: '500',
    needs: ['segments'],
  }),
  penalty: option('--penalty <PENALTY>', {
    help: 'with --segments: penalty for each change point: knee, bic, mbic, barrett or a number',
    parse: () => parsePenalty,
    fallback: 'knee',
    needs: ['segments'],
  }),
});

/** Reads the penalty of one change. @throws UsageError for another word, and a number below 0 */
export function parsePenalty(typed: string): Penalty {
  const name = penaltyNames.find((one) => one === typed);
  if (name !== undefined) return name;
  const penalty = typed.trim() === '' ? Number.NaN : Number(typed);
  if (penalty >= 0 && penalty < Infinity) return penalty;
  throw badValue('--penalty', typed, { allowed: `${penaltyNames.join(', ')} or a number of at least 0` });
}

/** The request for segments; `null` = none. */
export function toSegmentRequest({ segments, steadyWindow, penalty }: SegmentValues): SegmentRequest | null {
  if (!segments) return null;
  return {
    ...(steadyWindow === null ? {} : { window: steadyWindow }),
    ...(penalty === null ? {} : { penalty }),
  };
}
