import { randomBytes } from 'node:crypto';
import {
  applyTuning,
  defaultTuning,
  fitExperiment,
  obstacleHere,
  pendingRestore,
  readPressure,
  restoreTuning,
  type SettingChange,
  settingFiles,
  type SettingFiles,
  tuningDirectory,
  type TuningName,
  tuningNames,
} from '@deadheat/engine';
import type { Method } from '@deadheat/model';
import { formatStretch, printable } from '@deadheat/report';
import { type WorkloadName, workloadNames } from '@deadheat/workloads';
import type { Command } from 'commander';
import { parseChoices, parseCount, parseCpus, parseDuration, parseText, UsageError } from 'deadheat/settings';
import type { StyleChoice } from '../../arguments/invocation.ts';
import { addStyleOption } from '../../arguments/output-options.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { checkExports, reportStream, writeExport } from '../../terminal/output.ts';
import { createProgressReporter } from '../../terminal/progress.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { tool } from '../../version.ts';
import type { SubcommandContext } from '../subcommand.ts';
import { type Diagnosis, type DoctorMeasurement, renderDiagnosis } from './diagnosis.ts';
import { type DoctorFacts, measureClock } from './facts.ts';
import { findDisturbances } from './find-disturbances.ts';
import { layoutFixer, measureMachine } from './measure.ts';
import { doctorDefaults, doctorDraft, doctorMethods, type DoctorRequest, quickDoctor } from './request.ts';

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

/** What the machine says of itself, read before anything of ours disturbs it. */
interface Look extends Omit<DoctorFacts, 'disturbances'> {
  /** Those that it can offer. */
  readonly methods: readonly Method[];
}

/** `deadheat doctor`. Returns the exit code. */
export async function doctor(choices: DoctorChoices, terminal: Terminal): Promise<ExitCode> {
  const { request, measures, json } = choices;
  const exports = { json };
  checkExports(exports);
  const look = await lookAround(request);
  const measured = measures ? await withInterruption((signal) => measure(look, { choices, terminal, signal })) : null;
  if (typeof measured === 'number') return measured;
  const { machine, cpus, pressure, clock } = look;
  const diagnosis: Diagnosis = {
    schema: 'deadheat.doctor/1',
    tool,
    machine,
    cpus,
    pressure,
    clock,
    measured,
    findings: findDisturbances({ ...look, disturbances: measured?.disturbances ?? null }),
    tuned: pendingRestore(settingFiles(), { directory: tuningDirectory }),
  };
  const stream = terminal[reportStream(exports)];
  stream.write(renderDiagnosis(diagnosis, resolveTerminalStyle(choices.style, { stream, variables: terminal.env })));
  writeExport(json, { content: `${JSON.stringify(diagnosis, null, 2)}\n`, terminal });
  return exitCodes.done;
}

async function lookAround(request: DoctorRequest): Promise<Look> {
  const pressure = { cpu: readPressure('cpu')?.share10 ?? null, memory: readPressure('memory')?.share10 ?? null };
  const nothing = doctorDraft(request, { sized: [], methods: [], runs: 1, limitNs: null, fixLayout: null });
  const { machine, config } = await fitExperiment(nothing);
  const methods = doctorMethods.filter((method) => obstacleHere(method, request.cpus) === null);
  const obstacle = obstacleHere('sync-duet', request.cpus);
  return { machine, cpus: config.cpus, pressure, clock: measureClock(), obstacle, methods };
}

/** What was measured, or the exit code when that came to nothing. */
async function measure(
  { cpus, methods }: Look,
  {
    choices: { request, style },
    terminal,
    signal,
  }: { readonly choices: DoctorChoices; readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<DoctorMeasurement | ExitCode> {
  const say = (text: string): void => {
    if (style !== 'none') terminal.stderr.write(`deadheat: ${text}\n`);
  };
  const progress = createProgressReporter({
    stream: terminal.stderr,
    style: resolveTerminalStyle(style, { stream: terminal.stderr, variables: terminal.env }),
    now: () => performance.now(),
  });
  say(`calibrating ${request.workloads.join(', ')}`);
  try {
    const result = await measureMachine(request, {
      cpus,
      methods,
      fixLayout: layoutFixer(terminal.env),
      signal,
      onPlan: ({ runs, expectedNs, limitNs }) => {
        const limit = limitNs === null ? '' : `; none begins after ${formatStretch(limitNs)}`;
        say(
          `measuring ${runs} runs by each method, each workload against itself: about ${formatStretch(expectedNs)}${limit}`,
        );
      },
      onEvent: progress.handle,
    });
    progress.close();
    if (result.kind === 'done') return result.measurement;
    const failures = result.kind === 'failed' ? result.failures.map(({ message }) => message) : ['interrupted'];
    for (const message of failures) terminal.stderr.write(`deadheat: ${message}\n`);
    return result.kind === 'failed' ? exitCodes.workload : exitCodes.interrupted;
  } finally {
    progress.close();
  }
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
