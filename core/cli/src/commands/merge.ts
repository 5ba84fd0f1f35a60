import type { Command } from 'commander';
import { addExitOptions, addOutputOptions, readOutputChoices } from '../arguments/output-options.ts';
import type { RawOutputOptions } from '../arguments/raw-options.ts';
import { parseText } from 'deadheat/settings';
import { mergeParts } from '../experiment/merge-parts.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawMergeOptions extends RawOutputOptions {
  readonly output?: string;
}

/** `deadheat merge RECORDING...`: the parts of an experiment as one. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('merge')
    .description(
      'Merges the parts of an experiment, which deadheat run --part recorded, into one recording, and analyses it. If the parts come from several machines, the result also shows how these machines differ. A folder that is not a recording itself stands for all recordings in it.',
    )
    .usage('[options] RECORDING...')
    .argument('<recordings...>')
    .action((recordings: readonly string[], raw: RawMergeOptions) => {
      const request = { recordings, output: raw.output ?? null, choices: readOutputChoices(raw) };
      choose((terminal) => mergeParts(request, terminal));
    });
  addExitOptions(command.optionsGroup('Analysis and verdict:'));
  addOutputOptions(command.optionsGroup('Output:'));
  return command
    .option(
      '--output <DIR>',
      'folder in which the recording is stored (default: a new folder in .deadheat)',
      parseText('--output', 'a folder'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Examples:
  deadheat merge parts/1 parts/2 parts/3 --fail-on slower
  deadheat merge parts --output whole
      merge all recordings in the folder parts
`,
    );
}
