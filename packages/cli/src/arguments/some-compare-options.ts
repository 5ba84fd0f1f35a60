import { Command } from 'commander';
import { addCompareOptions } from './compare-options.ts';
import type { RawCompareOptions } from './raw-options.ts';

/** Adds the options of the comparison, in their groups, but for `without`, which mean nothing here or something else. */
export function addCompareOptionsBut(command: Command, without: readonly (keyof RawCompareOptions)[]): void {
  const all = new Command();
  addCompareOptions(all);
  for (const option of all.options) {
    if (!without.some((name) => name === option.attributeName())) command.addOption(option);
  }
}
