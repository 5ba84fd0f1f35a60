import type { Part } from '@deadheat/engine';
import { printable } from '@deadheat/report';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  detachRead,
  findFile,
  loadScheduler,
  planRead,
  readExperiment,
  resumeSession,
  runRead,
} from 'deadheat/internals';
import { badValue, UsageError } from 'deadheat/settings';
import { filterOptions, plaintextOptions, recordingOptions } from '../../command/common-options.ts';
import { type Command, defineCommand } from '../../command/define-command.ts';
import { explainOption, parameterOptions } from '../../command/compare-options.ts';
import { measuringOptions } from '../../command/measuring-options.ts';
import { count, flag, group, option, several, text } from '../../command/option.ts';
import { exitOptions, type OutputChoices, outputOptions } from '../../command/output-options.ts';
import { workerOptions } from '../../command/worker-options.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { withPlaintext, type Terminal } from '../../terminal/terminal.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { runWithProgress } from '../../experiment/run-with-progress.ts';
import { checkExports, writeExport } from '../../terminal/output.ts';
import { type ClusterRequest, type RunInvocation, toRunInvocation } from './invocation.ts';
import { renderPlan } from './render-plan.ts';

/** The options that a recording of an experiment leaves open. */
const finishing = {
  only: [
    'submitOption',
    'allowPlaintext',
    'failOn',
    'undecided',
    'layoutProof',
    'explain',
    ...Object.keys(outputOptions),
  ],
  why: 'finishes an experiment as it was planned',
};
const elsewhere = { needs: ['on'] };

/** The options of the tables of settings, which override the file; their defaults are those of the file. */
const settingOptions = Object.fromEntries(
  Object.entries(measuringOptions).map(([key, { fallback: _fallback, ...rest }]) => [key, rest]),
) as typeof measuringOptions;

const runOptions = {
  ...group('What to run:', {
    ...filterOptions,
    resume: option('--resume <RECORDING>', {
      help: 'continue an experiment that was interrupted, from the folder of its recording, or submit the missing parts of one on a cluster again, from their folder; takes no file',
      parse: text('the folder of a recording'),
      ...finishing,
    }),
    part: option('--part <K/N>', {
      help: 'execute only the K-th of N parts of the experiment; each part runs on a machine of its own, and deadheat ci merge combines the parts',
      parse: parsePart,
    }),
    experimentId: option('--experiment-id <TEXT>', {
      help: 'identifier that all parts of one experiment share, such as the number of a pipeline',
      parse: text('a text'),
      needs: ['part'],
    }),
    hostName: option('--host-name <TEXT>', {
      help: 'name of this machine in the results',
      parse: text('a text'),
      fallback: 'its host name and some digits of its boot identifier',
      needs: ['part'],
    }),
    submitOption: several('--submit-option <OPTION>', {
      help: "on a cluster, also with --resume: an option for sbatch, qsub or kubectl, such as '--partition=fast'; may be repeated",
      parse: text('an option'),
      needs: ['on', 'resume', 'attach'],
    }),
    pod: option('--pod <FILE>', {
      help: 'with --on kubernetes: the manifest of a pod, as YAML or JSON, with the image, the volume of this folder and what else the parts need',
      parse: text('a file'),
      needs: ['on'],
    }),
  }),
  ...parameterOptions,
  ...settingOptions,
  ...group('Where to run (docs/schedulers.md, docs/fleet.md):', {
    on: workerOptions.on,
    hosts: option('--hosts <N>', {
      help: 'number of workers of the fleet, or of nodes of the cluster, that execute the runs',
      parse: count(1),
      fallback: 'all',
      ...elsewhere,
    }),
    confirm: option('--confirm <N>', {
      help: 'before the verdict SLOWER, measure on N other hosts; the verdict is SLOWER only if they find it as well',
      parse: count(1),
      ...elsewhere,
      without: ['detach'],
      why: 'nobody is left to ask other hosts',
    }),
    label: { ...workerOptions.label, ...elsewhere },
    code: option('--code <WHAT>', {
      help: 'commit that the workers check out, or here = the programs are already on the workers (default: HEAD; not needed for images)',
      parse: text('a commit, or here'),
      ...elsewhere,
    }),
    repository: option('--repository <URL>', {
      help: 'repository from which the workers fetch the commit',
      parse: text('the URL of a repository'),
      fallback: 'the remote origin',
      ...elsewhere,
    }),
    worker: { ...workerOptions.worker, ...elsewhere },
    priority: { ...workerOptions.priority, ...elsewhere },
    detach: flag('--detach', {
      help: 'leave the experiment to the workers: put all runs into their queues, and end; --attach gathers them. The method auto waits for its pilot runs before',
      ...elsewhere,
    }),
    attach: option('--attach <RECORDING>', {
      help: 'follow an experiment that was left to the workers until it is over, from the folder of its recording; an interruption leaves it to them again',
      parse: text('the folder of a recording'),
      ...finishing,
    }),
    allowPlaintext: { ...plaintextOptions().allowPlaintext, needs: ['on', 'resume', 'attach'] },
  }),
  ...exitOptions,
  ...outputOptions,
  ...group('Output:', {
    ...recordingOptions,
    explain: { ...explainOption, without: ['part', 'attach'], why: 'the programs of the whole result are not here' },
  }),
};

/** The options that are about runs; a plan can be exported as JSON. */
const aboutRuns: ReadonlySet<string> = new Set([
  ...Object.keys(outputOptions).filter((key) => key !== 'export'),
  ...'resume attach output explain failOn undecided strict showOutput part experimentId hostName on detach hosts submitOption pod'.split(
    ' ',
  ),
]);

/** `deadheat run [FILE]`: an experiment from a file. */
export const run: Command = defineCommand({
  description: 'Runs the experiment that a file describes. docs/configuration.md describes the file.',
  usage: '[options] [FILE]',
  args: { '[file]': 'the file (default: deadheat.yaml or deadheat.yml)' },
  options: {
    ...runOptions,
    dryRun: flag('--dry-run', {
      help: 'show which runs would be executed, in which order and for how long, and execute none',
      group: 'What to run:',
      only: ['file', ...Object.keys(runOptions).filter((key) => !aboutRuns.has(key))],
      why: 'runs nothing',
    }),
  },
  act: async (values, { file }, terminal) => runConfig(toRunInvocation(file, values), withPlaintext(values, terminal)),
});

/** `deadheat run`. Returns the exit code. */
async function runConfig(invocation: RunInvocation, terminal: Terminal): Promise<number> {
  if (invocation.kind === 'resume') {
    const { recording, leaves, submitOptions } = invocation;
    if (existsSync(join(recording, 'job.json'))) {
      const cluster = await loadScheduler<ClusterScheduler>('cluster');
      return cluster.resumeOnCluster({ folder: recording, options: submitOptions, choices: invocation }, terminal);
    }
    if (submitOptions.length > 0) {
      throw new UsageError('CONFLICT', '--submit-option does nothing: the recording is not of a cluster', {
        hint: 'Leave it out, or name the folder of the parts, such as slurm-….',
      });
    }
    return runWithProgress((control) => resumeSession(recording, { ...control, leaves }), {
      choices: invocation,
      terminal,
    });
  }
  const { file } = invocation;
  const options = { changes: invocation.changes, variables: terminal.env };
  if (invocation.kind === 'plan') {
    const { json } = invocation;
    checkExports({ json });
    const planned = await planRead(() => readExperiment(file, options));
    if (json !== '-') terminal.stdout.write(renderPlan(planned));
    writeExport(json, { content: `${JSON.stringify(planned, null, 2)}\n`, terminal });
    return exitCodes.done;
  }
  const { output, exports, part, on } = invocation;
  if (on.name === 'cluster') {
    const cluster = await loadScheduler<ClusterScheduler>('cluster');
    return cluster.runOnCluster({ invocation, cluster: on.request }, terminal);
  }
  const experiment = await readExperiment(file, options);
  const { showOutput } = experiment.draft;
  if (showOutput && Object.values(exports).includes('-')) {
    throw new UsageError('CONFLICT', 'verbose in the file would mix the output of the programs into an export to -', {
      hint: 'Export to a file.',
    });
  }
  if (on.name === 'fleet' && on.detaches) {
    const facts = { ...options, on: on.request, output, file: file ?? findFile(process.cwd()) };
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
      runRead(async () => experiment, {
        ...control,
        ...options,
        output,
        file: file ?? findFile(process.cwd()),
        ...(part === null ? {} : { part }),
        ...(on.name === 'fleet' ? { on: on.request } : {}),
      }),
    { choices: invocation, terminal, showOutput },
  );
}

/** Parser of a part of several: `2/4` is the second of four. */
function parsePart(flag: string): (value: string) => Part {
  return (value) => {
    const [, index = '', count = ''] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(value) ?? [];
    const part = { index: Number(index), count: Number(count) };
    if (index === '' || part.index > part.count) {
      throw badValue(flag, value, { allowed: 'a part of several, from 1/N to N/N, such as 1/4' });
    }
    return part;
  };
}

/** The scheduler that submits the parts of an experiment to a cluster. */
interface ClusterScheduler {
  runOnCluster(
    run: { readonly invocation: Extract<RunInvocation, { kind: 'run' }>; readonly cluster: ClusterRequest },
    terminal: Terminal,
  ): Promise<number>;
  resumeOnCluster(
    request: { readonly folder: string; readonly options: readonly string[]; readonly choices: OutputChoices },
    terminal: Terminal,
  ): Promise<number>;
}
