import type { Command } from 'commander';
import { adapters, type ImportOptions } from '@deadheat/readers';
import { timeUnitSchema } from '@deadheat/model';
import { parseChoice, UsageError } from 'deadheat/settings';
import type { ReadingChoices } from './invocation.ts';
import type { RawAnalyseOptions } from './raw-options.ts';
import { parseColumns } from './values/parse-columns.ts';

const mostFiles = 2;
/** Formats whose columns have to be named, or may be. */
const tables: ReadonlySet<string> = new Set(['csv', 'json-lines', 'parquet']);

/** Adds the options that say how result files of other tools are read. */
export function addReadingOptions(command: Command): void {
  const formats = adapters.map(({ id }) => id);
  command
    .option(
      '--format <NAME>',
      `format of the files, if it cannot be recognized from their contents; NAME,NAME if the two differ: ${formats.join(', ')}`,
      (value: string) => value.split(',').map(parseChoice('--format', formats)),
    )
    .option(
      '--columns <MAP>',
      'names of the columns of a table in CSV or Parquet, or of the keys of JSON lines: time=COLUMN and, if there are such columns, run=, benchmark=, side=, start=, invocations=',
      parseColumns('--columns'),
    )
    .option(
      '--unit <UNIT>',
      'unit of the times in the column of --columns: ns, us, ms or s (default: ns)',
      parseChoice('--unit', timeUnitSchema.options),
    );
}

/** The reading options with their defaults, `null` when none was typed. */
export function readReadingChoices({
  format,
  columns,
  unit,
}: Pick<RawAnalyseOptions, 'format' | 'columns' | 'unit'>): ReadingChoices | null {
  if (format === undefined && columns === undefined && unit === undefined) return null;
  const [A = null, B = A] = format ?? [];
  if ((format?.length ?? 0) > mostFiles) {
    throw new UsageError('BAD_VALUE', '--format names more than two formats', {
      hint: 'Give one for both files, or two with a comma between them.',
    });
  }
  if (columns === undefined && unit !== undefined) {
    throw new UsageError('CONFLICT', '--unit is about the times of --columns, which is not given', {
      hint: 'Leave it out: files of other tools contain their unit.',
    });
  }
  const tool = [A, B].find((id) => id !== null && !tables.has(id));
  if (columns !== undefined && tool != null) {
    throw new UsageError('CONFLICT', `--columns is about tables of times, not about ${tool}`, {
      hint: 'Leave one of them out, or say --format csv, --format json-lines or --format parquet.',
    });
  }
  return { formats: { A, B }, columns: columns ?? null, unit: unit ?? 'ns' };
}

/** How the files of a command are read that takes files of one kind; empty when none of the options was typed. */
export function readImportOptions(raw: Pick<RawAnalyseOptions, 'format' | 'columns' | 'unit'>): ImportOptions {
  const choices = readReadingChoices(raw);
  if (choices === null) return {};
  if (choices.formats.A !== choices.formats.B) {
    throw new UsageError('BAD_VALUE', '--format names two formats', { hint: 'Give the one of the files.' });
  }
  return { format: choices.formats.A, columns: choices.columns, unit: choices.unit };
}
