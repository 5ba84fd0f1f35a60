import { Command } from 'commander';
import { parseText } from 'deadheat/settings';
import { addExperimentFlags } from './experiment-flags.ts';
import { addExitOptions, addOutputOptions } from './output-options.ts';
import { parseParameterList } from './parameter-list.ts';
import { parseParameterScan, parseStepSize } from './parameter-scan.ts';
import type { RawCompareOptions } from './raw-options.ts';
import { several } from './values/several.ts';

/** The options that a short help shows; `--help all` shows every one. */
const essential: ReadonlySet<string> = new Set([
  '--parameter-list',
  '--harness',
  '--resume',
  '--quick',
  '--runs',
  '--until',
  '--precision',
  '--max-time',
  '--warmup',
  '--method',
  '--setup',
  '--margin',
  '--fail-on',
  '--export',
  '--output',
]);

/** Adds every option of the comparison, grouped by what a person wants to change; a short help leaves out the rarer ones. */
export function addCompareOptions(command: Command): void {
  const before = command.options.length;
  addAllOptions(command);
  const added = command.options.slice(before);
  for (const option of added) if (!essential.has(option.long ?? '')) option.hideHelp();
}

function addAllOptions(command: Command): void {
  addSubjectOptions(command.optionsGroup('What to compare:'));
  addExperimentFlags(command, 'subject');
  command.option(
    '--resume <RECORDING>',
    'continue an experiment that was interrupted, from the folder of its recording; takes no commands',
    parseText('--resume', 'the folder of a recording'),
  );
  addExperimentFlags(command.optionsGroup('How much to measure:'), 'amount');
  addExperimentFlags(command.optionsGroup('How to run:'), 'execution');
  addSideHooks(command);
  addExperimentFlags(command.optionsGroup('Analysis and verdict:'), 'judging');
  addExitOptions(command);
  addExperimentFlags(command, 'exit', { control: null });
  addOutputOptions(command.optionsGroup('Output:'));
  command.option(
    '--output <DIR>',
    'folder in which the recording is stored (default: a new folder in .deadheat)',
    parseText('--output', 'a folder'),
  );
}

/** Adds the options of the comparison, in their groups, but for `without`, which mean nothing here or something else. */
export function addCompareOptionsBut(command: Command, without: readonly (keyof RawCompareOptions)[]): void {
  const all = new Command();
  addCompareOptions(all);
  for (const option of all.options) {
    if (!without.some((name) => name === option.attributeName())) command.addOption(option);
  }
}

function addSubjectOptions(command: Command): void {
  command
    .option(
      '-n, --command-name <NAME>',
      'name of a command in reports; give it once for each command, in their order',
      several(parseText('--command-name', 'a name')),
    )
    .option(
      '--reference <N>',
      'with more than two commands: number of the command that all others are compared with, from 1, or a further command for that (default: 1)',
      parseText('--reference', 'the number of a command, or a command'),
    )
    .option(
      '-P, --parameter-scan <VAR> <MIN> <MAX>',
      'make one comparison for each number from MIN to MAX; the number replaces {VAR} in commands, names and hooks',
      several(parseParameterScan),
    )
    .option(
      '-D, --parameter-step-size <DELTA>',
      'step between the numbers of --parameter-scan (default: 1)',
      several(parseStepSize),
    )
    .option(
      '-L, --parameter-list <VAR> <A,B,C>',
      'make one comparison for each value, which replaces {VAR} in commands, names and hooks; several lists and scans give one comparison for each combination',
      several(parseParameterList),
    );
}

function addSideHooks(command: Command): void {
  const hook = (flag: string): ((value: string) => string) => parseText(flag, 'a command');
  command
    .option(
      '-p, --prepare <CMD>',
      'shell command to execute before every run; give it once for each command, in their order, or once for all',
      several(hook('--prepare')),
    )
    .option(
      '-C, --conclude <CMD>',
      'shell command to execute after every run; give it once for each command, in their order, or once for all',
      several(hook('--conclude')),
    );
}
