import type { Command } from 'commander';
import { parseText } from 'deadheat/settings';
import { styleOptions } from '../command/common-options.ts';
import { type OutputChoices, toOutputChoices } from '../command/output-options.ts';
import { addOptions } from '../command/to-commander.ts';
import type { RawOutputOptions } from './raw-options.ts';

/*
 * Options of commands that are no values yet; see ../command/.
 */

/** Adds the options that say where tables go. */
export function addTableOutputOptions(command: Command): void {
  const file = (flag: string): ((value: string) => string) => parseText(flag, 'the name of a file, or - for stdout');
  command
    .option('--export-json <FILE>', 'write the tables as JSON (- = standard output)', file('--export-json'))
    .option('--export-csv <FILE>', 'write all tables into one CSV file', file('--export-csv'));
  addStyleOption(command);
}

/** Adds the option that draws figures. */
export function addFigureOption(command: Command): void {
  command.option(
    '--figures <DIR>',
    'write study.html with all tables and figures into this folder, and each figure as SVG with its data as CSV',
    parseText('--figures', 'a folder'),
  );
}

export function addStyleOption(command: Command): void {
  addOptions(command, styleOptions);
}

/** The output options with their defaults. */
export function readOutputChoices(raw: RawOutputOptions): OutputChoices {
  const { export: exports = {}, exportJson, exportCsv, noSummary = false, details = false } = raw;
  return toOutputChoices({
    export: {
      ...exports,
      ...(exportJson === undefined ? {} : { json: exportJson }),
      ...(exportCsv === undefined ? {} : { csv: exportCsv }),
    },
    noSummary,
    details,
    sort: raw.sort ?? null,
    timeUnit: raw.timeUnit ?? null,
    style: raw.style ?? 'auto',
    failOn: raw.failOn ?? null,
    strict: raw.strict ?? null,
    correction: raw.correction ?? null,
  });
}
