import type { Command } from 'commander';
import { parseText } from 'deadheat/settings';
import { several } from './values/several.ts';

/** Adds the option that chooses benchmarks of a file by their names. */
export function addFilterOption(command: Command): void {
  command.option(
    '--filter <PATTERN>',
    'run only the benchmarks with this name; * matches any text; may be repeated',
    several(parseText('--filter', 'the name of a benchmark')),
  );
}
