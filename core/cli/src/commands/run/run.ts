import { containerEngineSchema, loadPackage, methodSchema } from '@deadheat/model';
import { printable } from '@deadheat/report';
import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { plan } from 'deadheat';
import { detachRead, findFile, type Narrowing, readExperiment, resumeSession, runRead } from 'deadheat/internals';
import {
  attributeOf,
  experimentFlags,
  isSetting,
  parseChoice,
  parseCount,
  parseDuration,
  parseText,
  UsageError,
} from 'deadheat/settings';
import { addExperimentFlags } from '../../arguments/experiment-flags.ts';
import { addFilterOption } from '../../arguments/filter-option.ts';
import { addExitOptions, addOutputOptions } from '../../arguments/output-options.ts';
import { parsePart } from '../../arguments/values/parse-part.ts';
import { several } from '../../arguments/values/several.ts';
import { labelOption, priorityOption, workerOption } from '../../arguments/worker-options.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { addPlaintextOption, withPlaintext } from '../../terminal/plaintext-option.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { runWithProgress } from '../../experiment/run-with-progress.ts';
import { checkExports, writeExport } from '../../terminal/output.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { SubcommandContext } from '../subcommand.ts';
import type { OutputChoices } from '../../command/output-options.ts';
import { version } from '../../version.ts';
import { type RawRunOptions, type RunInvocation, type SlurmRequest, toRunInvocation } from './invocation.ts';
import { renderPlan } from './render-plan.ts';

/** `deadheat run [FILE]`: an experiment from a file. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('run')
    .description('Runs the experiment that a file describes. docs/configuration.md describes the file.')
    .usage('[options] [FILE]')
    .argument('[file]', 'the file (default: deadheat.yaml or deadheat.yml)')
    .action((file: string | undefined, options: RawRunOptions) => {
      const invocation = toRunInvocation(file ?? null, options);
      choose((terminal) => runConfig(invocation, withPlaintext(options, terminal)));
    });
  addFilterOption(command.optionsGroup('What to run:'));
  command
    .option(
      '--method <METHOD>',
      'run only this method of those in the file, or use it instead of auto; may be repeated',
      several(parseChoice('--method', methodSchema.options)),
    )
    .option('--dry-run', 'show which runs would be executed, in which order and for how long, and execute none')
    .option(
      '--resume <RECORDING>',
      'continue an experiment that was interrupted, from the folder of its recording, or submit the missing parts of one on a cluster again, from their folder; takes no file',
      parseText('--resume', 'the folder of a recording'),
    )
    .option(
      '--seed <TEXT>',
      'seed of all random choices, instead of the seed in the file',
      parseText('--seed', 'a text'),
    )
    .option(
      '--max-time <TIME>',
      'start no new run of a benchmark and method after this time, except that there are always at least 5 runs',
      parseDuration('--max-time'),
    )
    .option(
      '--engine <ENGINE>',
      'podman or docker = run the containers of the file with this program (default: the one that is installed); slurm = run the experiment on the nodes of a cluster',
      parseChoice('--engine', [...containerEngineSchema.options, 'slurm']),
    )
    .option(
      '--control',
      'also compare A with itself, beside each benchmark; if that comparison shows a difference, exit with code 5',
    )
    .option('--show-output', 'show the output of the programs on the terminal')
    .option(
      '--part <K/N>',
      'execute only the K-th of N parts of the experiment; each part runs on a machine of its own, and deadheat ci merge combines the parts',
      parsePart('--part'),
    )
    .option(
      '--experiment-id <TEXT>',
      'identifier that all parts of one experiment share, such as the number of a pipeline',
      parseText('--experiment-id', 'a text'),
    )
    .option(
      '--host-name <TEXT>',
      'name of this machine in the results (default: its host name and some digits of its boot identifier)',
      parseText('--host-name', 'a text'),
    )
    .option(
      '--sbatch <OPTION>',
      "with --engine slurm or --resume: an option for sbatch, such as '--partition=fast'; may be repeated",
      several(parseText('--sbatch', 'an option')),
    );
  for (const group of ['amount', 'execution', 'judging'] as const) addExperimentFlags(command, group, typedSettings);
  command
    .optionsGroup('Where to run (docs/fleet.md):')
    .option(
      '--fleet <URL>',
      'execute the runs on the workers of a fleet, whose database is postgres://user@host/name',
      parseText('--fleet', 'the URL of a fleet'),
    )
    .option(
      '--hosts <N>',
      'number of workers of the fleet, or of nodes of the cluster, that execute the runs (default: all)',
      parseCount('--hosts', 1),
    )
    .option(
      '--confirm <N>',
      'before the verdict SLOWER, measure on N other hosts; the verdict is SLOWER only if they find it as well',
      parseCount('--confirm', 1),
    )
    .addOption(labelOption())
    .option(
      '--code <WHAT>',
      'commit that the workers check out, or here = the programs are already on the workers (default: HEAD; not needed for images)',
      parseText('--code', 'a commit, or here'),
    )
    .option(
      '--repository <URL>',
      'repository from which the workers fetch the commit (default: the remote origin)',
      parseText('--repository', 'the URL of a repository'),
    )
    .addOption(workerOption())
    .addOption(priorityOption())
    .option(
      '--detach',
      'leave the experiment to the workers: put all runs into their queues, and end; --attach gathers them. The method auto waits for its pilot runs before',
    )
    .option(
      '--attach <RECORDING>',
      'follow an experiment that was left to the workers until it is over, from the folder of its recording; an interruption leaves it to them again',
      parseText('--attach', 'the folder of a recording'),
    );
  addPlaintextOption(command);
  addExitOptions(command.optionsGroup('Analysis and verdict:'));
  addOutputOptions(command.optionsGroup('Output:'));
  command.option(
    '--output <DIR>',
    'folder in which the recording is stored (default: a new folder in .deadheat)',
    parseText('--output', 'a folder'),
  );
  return command;
}

/** The flags of settings, by commander's names, which override the file; their defaults are as the file says. */
const typedSettings: Readonly<Record<string, null>> = Object.fromEntries(
  experimentFlags
    .filter(({ place }) => typeof place === 'function' || isSetting(place[0] ?? ''))
    .map((flag) => [attributeOf(flag), null] as const)
    .filter(([name]) => name !== 'maxTime'),
);

/** `deadheat run`. Returns the exit code. */
async function runConfig(invocation: RunInvocation, terminal: Terminal): Promise<number> {
  if (invocation.kind === 'resume') {
    const { recording, leaves, sbatch } = invocation;
    if (existsSync(join(recording, 'job.sh'))) {
      const slurm = await loadSlurm();
      return slurm.resumeOnSlurm({ folder: recording, options: sbatch ?? [], choices: invocation }, terminal);
    }
    if (sbatch !== null) {
      throw new UsageError('CONFLICT', '--sbatch does nothing: the recording is not of a cluster', {
        hint: 'Leave it out, or name the folder slurm-… of the parts.',
      });
    }
    return runWithProgress((control) => resumeSession(recording, { ...control, leaves }), {
      choices: invocation,
      terminal,
    });
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
    const slurm = await loadSlurm();
    return slurm.runOnSlurm({ invocation, slurm: invocation.slurm }, terminal);
  }
  const { output, exports, part, fleet, detaches } = invocation;
  const experiment = readExperiment(file, options);
  const { showOutput } = experiment.draft;
  if (showOutput && Object.values(exports).includes('-')) {
    throw new UsageError('CONFLICT', 'verbose in the file would mix the output of the programs into an export to -', {
      hint: 'Export to a file.',
    });
  }
  if (fleet !== null && detaches) {
    const facts = { ...options, fleet, output, file: file ?? findFile(process.cwd()) };
    const onNotice = (text: string): void => void terminal.stderr.write(`deadheat: ${printable(text)}\n`);
    const left = await withInterruption((signal) => detachRead(experiment, { ...facts, onNotice, signal }));
    if (!left.isLeft) {
      terminal.stderr.write(
        `deadheat: interrupted before the workers had all runs, and cancelled; go on with: deadheat run --resume ${left.directory}\n`,
      );
      return exitCodes.interrupted;
    }
    terminal.stdout.write(`${left.experiment} ${left.directory}\n`);
    terminal.stderr.write(
      `deadheat: experiment ${left.experiment} is left to the workers; gather its runs with: deadheat run --attach ${left.directory}\n`,
    );
    return exitCodes.done;
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
  strict,
  also,
  settings,
}: Narrowing): Narrowing {
  return { filter, methods, seed, maxTimeNs, engine, showOutput, control, correction, strict, also, settings };
}

/** The functions of the package `@deadheat/track` for experiments on a cluster. */
interface SlurmScheduler {
  runOnSlurm(
    run: { readonly invocation: Extract<RunInvocation, { kind: 'run' }>; readonly slurm: SlurmRequest },
    terminal: Terminal,
  ): Promise<number>;
  resumeOnSlurm(
    request: { readonly folder: string; readonly options: readonly string[]; readonly choices: OutputChoices },
    terminal: Terminal,
  ): Promise<number>;
}

/** @throws DeadheatError `PACKAGE_MISSING` */
async function loadSlurm(): Promise<SlurmScheduler> {
  return loadPackage<SlurmScheduler>('@deadheat/track', {
    exported: 'slurmScheduler',
    user: 'an experiment on a cluster',
    version,
  });
}
