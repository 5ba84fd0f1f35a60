import { randomBytes } from 'node:crypto';
import {
  applyTuning,
  defaultTuning,
  restoreTuning,
  type SettingChange,
  settingFiles,
  type SettingFiles,
  tuningDirectory,
  type TuningName,
  tuningNames,
} from '@deadheat/engine';
import { formatStretch, printable } from '@deadheat/report';
import { type WorkloadName, workloadNames } from '@deadheat/workloads';
import type { Command } from 'commander';
import {
  doctorDefaults,
  type DoctorRequest,
  type DoctorStep,
  examineMachine,
  quickDoctor,
  renderDiagnosis,
} from 'deadheat/doctor';
import { parseChoices, parseCount, parseCpus, parseDuration, parseText, UsageError } from 'deadheat/settings';
import type { StyleChoice } from '../terminal/style.ts';
import { addStyleOption } from '../arguments/output-options.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { checkExports, createTeller, reportStream, writeExport } from '../terminal/output.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { tellFailures, withProgress } from '../terminal/with-progress.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawDoctorOptions {
  readonly measure: boolean;
  readonly quick?: true;
  readonly maxTime?: number;
  readonly runs?: number;
  readonly workload?: readonly WorkloadName[];
  readonly cpus?: readonly number[];
  readonly seed?: string;
  readonly apply?: true | readonly TuningName[];
  readonly restore?: true;
  readonly exportJson?: string;
  readonly output?: string;
  readonly style?: StyleChoice;
}

/** Fewest runs that carry an interval. */
const leastRuns = 2;

/** `deadheat doctor`: what disturbs this machine, and what to do. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('doctor')
    .description(
      'Finds out how precisely this machine can measure. It compares artificial workloads with themselves, by several methods, and reports the smallest slowdown that each method detects here, what disturbs the measurements and how much, and what you can do about it with and without root. This takes about a minute. With --apply it changes the settings of the machine for measuring; with --restore it sets them back.',
    )
    .usage('[options]')
    .action((raw: RawDoctorOptions) => {
      const tuning = { files: settingFiles(), directory: tuningDirectory };
      const { apply } = raw;
      if (apply !== undefined || raw.restore === true) refuseBesides(raw);
      if (apply !== undefined) {
        const names = apply === true ? defaultTuning : apply;
        choose(async (terminal) => applySettings({ ...tuning, names }, terminal));
        return;
      }
      if (raw.restore === true) {
        choose(async (terminal) => restoreSettings(tuning, terminal));
        return;
      }
      const choices = readChoices(raw);
      choose((terminal) => doctor(choices, terminal));
    });
  command
    .optionsGroup('How much to measure:')
    .option('--max-time <TIME>', 'time limit of the whole check (default: 60s)', parseDuration('--max-time'))
    .option('--quick', `take 20 s and measure ${quickDoctor.workloads.join(',')} only, which finds less`)
    .option('--runs <N>', 'number of runs by each method, without a time limit', parseCount('--runs', leastRuns))
    .option(
      '--workload <LIST>',
      `list of workloads, from ${workloadNames.join(', ')} (default: ${doctorDefaults.workloads.join(',')})`,
      parseChoices('--workload', workloadNames),
    )
    .option('--no-measure', 'only read the settings of the machine, without measuring their effects')
    .option('--cpus <LIST>', 'the cores of the two sides, such as 0,1 (default: deadheat chooses)', parseCpus('--cpus'))
    .option('--seed <TEXT>', 'seed of all random choices (default: a new seed)', parseText('--seed', 'a text'));
  command
    .optionsGroup('Settings of the machine:')
    .option(
      '--apply [LIST]',
      `as root: change the listed settings for measuring, from ${tuningNames.join(', ')} (default: ${defaultTuning.join(',')}); the previous values are saved first`,
      parseChoices('--apply', tuningNames),
    )
    .option('--restore', 'as root: restore the settings that --apply changed');
  command
    .optionsGroup('Output:')
    .option(
      '--export-json <FILE>',
      'write all results as JSON (- = standard output)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    )
    .option('--output <DIR>', 'store the recording in this folder', parseText('--output', 'a folder'));
  addStyleOption(command);
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat doctor
  deadheat doctor --quick --export-json doctor.json
  sudo deadheat doctor --apply && deadheat run; sudo deadheat doctor --restore`,
  );
}

function readChoices(raw: RawDoctorOptions): DoctorChoices {
  const { measure, quick, maxTime, runs, workload, cpus, seed, output } = raw;
  if (quick === true && maxTime !== undefined) {
    throw new UsageError('CONFLICT', '--quick and --max-time both say how long', { hint: 'Leave one of them out.' });
  }
  if (runs !== undefined && (quick === true || maxTime !== undefined)) {
    throw new UsageError('CONFLICT', `--runs and --${quick === true ? 'quick' : 'max-time'} both say how much`, {
      hint: 'Leave one of them out.',
    });
  }
  if (!measure) refuse({ quick, 'max-time': maxTime, runs, workload, seed, output }, '--no-measure measures nothing');
  const defaults = quick === true ? quickDoctor : doctorDefaults;
  return {
    request: {
      workloads: workload ?? defaults.workloads,
      runs: runs ?? null,
      maxTimeNs: maxTime ?? defaults.maxTimeNs,
      cpus: cpus ?? null,
      seed: seed ?? randomBytes(4).toString('hex'),
      output: output ?? null,
    },
    measures: measure,
    json: raw.exportJson ?? null,
    style: raw.style ?? 'auto',
  };
}

function refuseBesides(raw: RawDoctorOptions): void {
  const { quick, maxTime, runs, workload, cpus, seed, exportJson, output, style } = raw;
  const flag = raw.apply === undefined ? '--restore' : '--apply';
  refuse(
    {
      ...(raw.apply === undefined ? {} : { restore: raw.restore }),
      'no-measure': raw.measure ? undefined : true,
      quick,
      'max-time': maxTime,
      runs,
      workload,
      cpus,
      seed,
      'export-json': exportJson,
      output,
      style,
    },
    `${flag} changes settings and does nothing else`,
  );
}

/** @throws UsageError that names the first of the options that is given */
function refuse(options: Readonly<Record<string, unknown>>, why: string): void {
  const stray = Object.entries(options).find(([, value]) => value !== undefined);
  if (stray === undefined) return;
  throw new UsageError('CONFLICT', `${why}, so --${stray[0]} has no place beside it`, {
    hint: 'Leave one of them out.',
  });
}

interface DoctorChoices {
  readonly request: DoctorRequest;
  /** Whether anything is measured. */
  readonly measures: boolean;
  /** File for the diagnosis as JSON; `-` = standard output, `null` = nowhere. */
  readonly json: string | null;
  readonly style: StyleChoice;
}

/** `deadheat doctor`. Returns the exit code. */
export async function doctor({ request, measures, json, style }: DoctorChoices, terminal: Terminal): Promise<ExitCode> {
  const exports = { json };
  checkExports(exports);
  const tell = createTeller({ style }, terminal);
  const result = await withProgress({ style, terminal }, (control) =>
    examineMachine(request, {
      ...control,
      measures,
      variables: terminal.env,
      onStep: (step) => tell(describeStep(step, request)),
    }),
  );
  if (result.kind !== 'done') return tellFailures(result.kind === 'failed' ? result.failures : null, terminal);
  const stream = terminal[reportStream(exports)];
  stream.write(renderDiagnosis(result.diagnosis, resolveTerminalStyle(style, { stream, variables: terminal.env })));
  writeExport(json, { content: `${JSON.stringify(result.diagnosis, null, 2)}\n`, terminal });
  return exitCodes.done;
}

function describeStep(step: DoctorStep, { workloads }: DoctorRequest): string {
  if (step.kind === 'calibrating') return `calibrating ${workloads.join(', ')}`;
  const { runs, expectedNs, limitNs } = step;
  const limit = limitNs === null ? '' : `; none begins after ${formatStretch(limitNs)}`;
  return `measuring ${runs} runs by each method, each workload against itself: about ${formatStretch(expectedNs)}${limit}`;
}

/** The machine whose settings are changed, and where their former values are kept. */
interface Tuned {
  readonly files: SettingFiles;
  readonly directory: string;
}

/** `deadheat doctor --apply`. Returns the exit code. */
export function applySettings(
  { files, directory, names }: Tuned & { readonly names: readonly TuningName[] },
  terminal: Pick<Terminal, 'stdout' | 'stderr'>,
): ExitCode {
  const { changes, stateFile } = applyTuning(files, { directory, names });
  if (changes.length === 0)
    terminal.stdout.write(`All of ${names.join(', ')} stands as it should; nothing is changed.\n`);
  const exitCode = tell(changes, terminal);
  if (stateFile !== null) {
    terminal.stdout.write(`The former values are in ${stateFile}; put them back with: deadheat doctor --restore\n`);
  }
  return exitCode;
}

/** `deadheat doctor --restore`. Returns the exit code. */
export function restoreSettings({ files, directory }: Tuned, terminal: Pick<Terminal, 'stdout' | 'stderr'>): ExitCode {
  const restored = restoreTuning(files, { directory });
  switch (restored.kind) {
    case 'nothing-kept':
      terminal.stdout.write('Nothing is changed, so there is nothing to put back.\n');
      return exitCodes.done;
    case 'outdated':
      terminal.stdout.write(
        'The machine was restarted since its settings were changed, which set them anew; there is nothing to put back.\n',
      );
      return exitCodes.done;
    case 'restored': {
      const exitCode = tell(restored.changes, terminal);
      terminal.stdout.write(
        restored.stateFile === null
          ? 'Everything stands as it did before.\n'
          : `The former values stay in ${restored.stateFile}. Try again as root: sudo deadheat doctor --restore\n`,
      );
      return exitCode;
    }
  }
}

function tell(changes: readonly SettingChange[], { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>): ExitCode {
  for (const { path, from, to, failure } of changes) {
    const change = printable(`${path}: ${from} -> ${to}`);
    if (failure === null) stdout.write(`${change}\n`);
    else stderr.write(`deadheat: ${change} failed: ${printable(failure)}\n`);
  }
  return changes.some(({ failure }) => failure !== null) ? exitCodes.environment : exitCodes.done;
}
