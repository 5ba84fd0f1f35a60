import { containerEngineSchema, methodSchema } from '@deadheat/model';
import type { Command } from 'commander';
import { plan, resume } from 'deadheat';
import { findFile, type Narrowing, readExperiment, runRead } from 'deadheat/internals';
import { parseChoice, parseCount, parseDuration, parseText, UsageError } from 'deadheat/settings';
import { addFilterOption } from '../../arguments/filter-option.ts';
import { addExitOptions, addOutputOptions } from '../../arguments/output-options.ts';
import { parseLabel } from '../../arguments/values/parse-label.ts';
import { parsePart } from '../../arguments/values/parse-part.ts';
import { several } from '../../arguments/values/several.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { runWithProgress } from '../../experiment/run-with-progress.ts';
import { checkExports, writeExport } from '../../terminal/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { SubcommandContext } from '../subcommand.ts';
import { type RawRunOptions, type RunInvocation, toRunInvocation } from './invocation.ts';
import { renderPlan } from './render-plan.ts';

/** `deadheat run [FILE]`: an experiment from a file. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('run')
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
}

/** `deadheat run`. Returns the exit code. */
async function runConfig(invocation: RunInvocation, terminal: Terminal): Promise<number> {
  if (invocation.kind === 'resume') {
    const { recording } = invocation;
    return runWithProgress((control) => resume(recording, control), { choices: invocation, terminal });
  }
  const { file } = invocation;
  const options = { narrowing: narrowingOf(invocation), variables: terminal.env };
  if (invocation.kind === 'plan') {
    const { json } = invocation;
    checkExports({ json });
    const planned = await plan(file, options);
    if (json !== '-') terminal.stdout.write(renderPlan(planned));
    writeExport(json, { content: `${JSON.stringify(planned, null, 2)}\n`, terminal });
    return exitCodes.done;
  }
  if (invocation.slurm !== null) {
    const { runOnSlurm } = await import('./slurm.ts');
    return runOnSlurm({ invocation, slurm: invocation.slurm }, terminal);
  }
  const { output, exports, part, fleet } = invocation;
  const experiment = readExperiment(file, options);
  const { showOutput } = experiment.draft;
  if (showOutput && Object.values(exports).includes('-')) {
    throw new UsageError('CONFLICT', 'verbose in the file would mix the output of the programs into an export to -', {
      hint: 'Export to a file.',
    });
  }
  return runWithProgress(
    (control) =>
      runRead(() => experiment, {
        ...control,
        ...options,
        output,
        file: file ?? findFile(process.cwd()),
        ...(part === null ? {} : { part }),
        ...(fleet === null ? {} : { fleet }),
      }),
    { choices: invocation, terminal, showOutput },
  );
}

/** What the options change of the file, without what else was typed. */
function narrowingOf({
  filter,
  methods,
  seed,
  maxTimeNs,
  engine,
  showOutput,
  control,
  correction,
}: Narrowing): Narrowing {
  return { filter, methods, seed, maxTimeNs, engine, showOutput, control, correction };
}
