import type { ImportOptions } from '@deadheat/readers';
import type { Command } from 'commander';
import { readingOptions, type ReadingValues, toImportOptions } from '../command/reading-options.ts';
import { addOptions } from '../command/to-commander.ts';

/*
 * Options of commands that are no values yet; see ../command/.
 */

export function addReadingOptions(command: Command): void {
  addOptions(command, readingOptions);
}

/** How the files of a command are read that takes files of one kind; empty when none of the options was typed. */
export function readImportOptions({
  format = null,
  columns = null,
  unit = null,
}: Partial<ReadingValues>): ImportOptions {
  return toImportOptions({ format, columns, unit });
}
