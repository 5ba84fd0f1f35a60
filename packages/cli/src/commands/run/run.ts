import { containerEngineSchema, methodSchema } from '@deadheat/model';
import type { Command } from 'commander';
import { addFilterOption } from '../../arguments/filter-option.ts';
import { addExitOptions, addOutputOptions } from '../../arguments/output-options.ts';
import type { RawRunOptions } from './raw-run-options.ts';
import { toRunInvocation } from './to-run-invocation.ts';
import { parseChoice, parseCount, parseDuration, parseText } from 'deadheat/settings';
import { parseLabel } from '../../arguments/values/parse-label.ts';
import { parsePart } from '../../arguments/values/parse-part.ts';
import { several } from '../../arguments/values/several.ts';
import { runConfig } from './run-config.ts';
import type { Subcommand } from '../subcommand.ts';

/** `deadheat run [FILE]`: an experiment from a file. */
export const run: Subcommand = ({ create, choose }): Command => {
  const command = create('run')
    .summary('an experiment described by a file, deadheat.yaml')
    .description('Runs the experiment that a file describes; docs/configuration.md tells what it may hold.')
    .usage('[options] [FILE]')
    .argument('[file]', 'the file (default: deadheat.yaml or deadheat.yml)')
    .action((file: string | undefined, options: RawRunOptions) => {
      const invocation = toRunInvocation(file ?? null, options);
      choose((terminal) => runConfig(invocation, terminal));
    });
  addFilterOption(command.optionsGroup('What to run:'));
  command
    .option(
      '--method <METHOD>',
      'only by this of the methods in the file, or in place of auto there; several times for more',
      several(parseChoice('--method', methodSchema.options)),
    )
    .option('--dry-run', 'show what would be run, in which order and for how long; run nothing')
    .option(
      '--resume <RECORDING>',
      'finish an experiment that was cut short; takes no file',
      parseText('--resume', 'the folder of a recording'),
    )
    .option('--seed <TEXT>', 'instead of the seed in the file', parseText('--seed', 'a text'))
    .option(
      '--max-time <TIME>',
      'begin no further run of a benchmark and method after this, once there are 5',
      parseDuration('--max-time'),
    )
    .option(
      '--engine <ENGINE>',
      'podman or docker: what runs the containers of the file (default: what is there); slurm: on the nodes of a cluster',
      parseChoice('--engine', [...containerEngineSchema.options, 'slurm']),
    )
    .option('--control', 'also measure A against itself beside each benchmark; exit 5 when that differs')
    .option('--show-output', 'let the programs write to the terminal')
    .option(
      '--part <K/N>',
      'make the K-th of N parts of the runs, each on a machine of its own; deadheat merge brings them together',
      parsePart('--part'),
    )
    .option(
      '--experiment-id <TEXT>',
      'what all parts of one experiment have in common, such as the number of a pipeline',
      parseText('--experiment-id', 'a text'),
    )
    .option(
      '--host-name <TEXT>',
      'what this machine is called in the results (default: its name and digits of its boot)',
      parseText('--host-name', 'a text'),
    )
    .option(
      '--sbatch <OPTION>',
      "with --engine slurm: an option for sbatch, such as '--partition=fast'; several times for more",
      several(parseText('--sbatch', 'an option')),
    );
  command
    .optionsGroup('Where to run (docs/fleet.md):')
    .option(
      '--fleet <URL>',
      'on the workers of a fleet: postgres://user@host/name',
      parseText('--fleet', 'the URL of a fleet'),
    )
    .option(
      '--hosts <N>',
      'spread the runs over so many of them (default: all), or over so many nodes of a cluster',
      parseCount('--hosts', 1),
    )
    .option(
      '--confirm <N>',
      'say slower only when N other hosts, asked then, find it slower too',
      parseCount('--confirm', 1),
    )
    .option(
      '--label <NAME=VALUE>',
      'only on workers that have this label; several times for more',
      several(parseLabel('--label')),
    )
    .option(
      '--code <WHAT>',
      'the commit that workers get, or here: they have the programs (default: HEAD; images need neither)',
      parseText('--code', 'a commit, or here'),
    )
    .option(
      '--repository <URL>',
      'where workers get the commit (default: the remote origin)',
      parseText('--repository', 'the URL of a repository'),
    );
  addExitOptions(command.optionsGroup('Judging:'));
  addOutputOptions(command.optionsGroup('Output:'));
  command.option(
    '--output <DIR>',
    'folder of the recording (default: a new one in .deadheat)',
    parseText('--output', 'a folder'),
  );
  return command;
};
