import { randomBytes } from 'node:crypto';
import {
  applyTuning,
  defaultTuning,
  restoreTuning,
  settingFiles,
  tuningDirectory,
  tuningNames,
} from '@deadheat/engine';
import { formatStretch, printable } from '@deadheat/report';
import { workloadNames } from '@deadheat/workloads';
import {
  doctorDefaults,
  type DoctorRequest,
  type DoctorStep,
  examineMachine,
  quickDoctor,
  renderDiagnosis,
} from 'deadheat/doctor';
import { parseCpus, parseDuration } from 'deadheat/settings';
import { styleOptions } from '../command/common-options.ts';
import { type Command, defineCommand } from '../command/define-command.ts';
import { choices, count, exportOption, flag, group, option, text } from '../command/option.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { checkExports, createNoticeWriter, type Exports, reportStream, writeExport } from '../terminal/output.ts';
import { resolveTerminalStyle, type StyleChoice } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeFailures, withProgress } from '../terminal/with-progress.ts';

/** Fewest runs that carry an interval. */
const leastRuns = 2;
const changesSettings = { only: [], why: 'changes settings of the machine and does nothing else' };

/** `deadheat doctor`: finds out what disturbs measurements on this machine, and changes its settings. */
export const doctorCommand: Command = defineCommand({
  description:
    'Finds out how precisely this machine can measure. It compares artificial workloads with themselves, by several methods, and reports the smallest slowdown that each method detects here, what disturbs the measurements and how much, and what you can do about it with and without root. This takes about a minute. With --apply it changes the settings of the machine for measuring; with --restore it sets them back.',
  options: {
    ...group('How much to measure:', {
      maxTime: option('--max-time <TIME>', {
        help: 'time limit of the whole check',
        parse: parseDuration,
        fallback: '60s',
        without: ['quick'],
        why: 'both limit the time',
      }),
      quick: flag('--quick', {
        help: `take 20 s and measure ${quickDoctor.workloads.join(',')} only, which finds less`,
      }),
      runs: option('--runs <N>', {
        help: 'number of runs by each method, without a time limit',
        parse: count(leastRuns),
        without: ['quick', 'maxTime'],
        why: 'each says how much to measure',
      }),
      workload: option('--workload <LIST>', {
        help: `list of workloads, from ${workloadNames.join(', ')}`,
        parse: choices(workloadNames),
        fallback: doctorDefaults.workloads.join(','),
      }),
      noMeasure: flag('--no-measure', {
        help: 'only read the settings of the machine, without measuring their effects',
        only: ['cpus', 'export', 'style'],
        why: 'measures nothing',
      }),
      cpus: option('--cpus <LIST>', {
        help: 'the cores of the two sides, such as 0,1',
        parse: parseCpus,
        fallback: 'deadheat chooses',
      }),
      seed: option('--seed <TEXT>', {
        help: 'seed of all random choices',
        parse: text('a text'),
        fallback: 'a new seed',
      }),
    }),
    ...group('Settings of the machine:', {
      apply: option('--apply [LIST]', {
        help: `as root: change the listed settings for measuring, from ${tuningNames.join(', ')}; the previous values are saved first`,
        parse: choices(tuningNames),
        fallback: defaultTuning.join(','),
        bare: defaultTuning,
        ...changesSettings,
      }),
      restore: flag('--restore', { help: 'as root: restore the settings that --apply changed', ...changesSettings }),
    }),
    ...group('Output:', {
      export: exportOption({ json: 'all results' }),
      output: option('--output <DIR>', { help: 'store the recording in this folder', parse: text('a folder') }),
      ...styleOptions,
    }),
  },
  act: async (values, _args, terminal) => {
    const { apply, restore, noMeasure, quick, export: exports, style } = values;
    const tuning = { files: settingFiles(), directory: tuningDirectory };
    if (apply !== null) return applySettings({ ...tuning, names: apply }, terminal);
    if (restore) return restoreSettings(tuning, terminal);
    const defaults = quick ? quickDoctor : doctorDefaults;
    const request: DoctorRequest = {
      workloads: values.workload ?? defaults.workloads,
      runs: values.runs,
      maxTimeNs: values.maxTime ?? defaults.maxTimeNs,
      cpus: values.cpus,
      seed: values.seed ?? randomBytes(4).toString('hex'),
      output: values.output,
    };
    return doctor({ request, measures: !noMeasure, exports, style }, terminal);
  },
  examples: `
Examples:
  deadheat doctor
  deadheat doctor --quick --export json:doctor.json
  sudo deadheat doctor --apply && deadheat run; sudo deadheat doctor --restore`,
});

interface DoctorChoices {
  readonly request: DoctorRequest;
  /** True if anything is measured. */
  readonly measures: boolean;
  readonly exports: Exports<'json'>;
  readonly style: StyleChoice;
}

/** Examines the machine and shows the diagnosis. Returns the exit code. */
export async function doctor(
  { request, measures, exports, style }: DoctorChoices,
  terminal: Terminal,
): Promise<ExitCode> {
  checkExports(exports);
  const tell = createNoticeWriter({ style }, terminal);
  const result = await withProgress({ style, terminal }, (control) =>
    examineMachine(request, {
      ...control,
      measures,
      variables: terminal.env,
      onStep: (step) => tell(describeStep(step, request)),
    }),
  );
  if (result.kind !== 'done') return writeFailures(result.kind === 'failed' ? result.failures : null, terminal);
  const stream = terminal[reportStream(exports)];
  stream.write(renderDiagnosis(result.diagnosis, resolveTerminalStyle(style, { stream, variables: terminal.env })));
  writeExport(exports.json, { content: `${JSON.stringify(result.diagnosis, null, 2)}\n`, terminal });
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
  readonly files: ReturnType<typeof settingFiles>;
  readonly directory: string;
}

/** `deadheat doctor --apply`. Returns the exit code. */
export function applySettings(
  { files, directory, names }: Tuned & { readonly names: readonly (typeof tuningNames)[number][] },
  terminal: Pick<Terminal, 'stdout' | 'stderr'>,
): ExitCode {
  const { changes, stateFile } = applyTuning(files, { directory, names });
  if (changes.length === 0)
    terminal.stdout.write(`All of ${names.join(', ')} stands as it should; nothing is changed.\n`);
  const exitCode = writeChanges(changes, terminal);
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
      const exitCode = writeChanges(restored.changes, terminal);
      terminal.stdout.write(
        restored.stateFile === null
          ? 'Everything stands as it did before.\n'
          : `The former values stay in ${restored.stateFile}. Try again as root: sudo deadheat doctor --restore\n`,
      );
      return exitCode;
    }
  }
}

function writeChanges(
  changes: ReturnType<typeof applyTuning>['changes'],
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
): ExitCode {
  for (const { path, from, to, failure } of changes) {
    const change = printable(`${path}: ${from} -> ${to}`);
    if (failure === null) stdout.write(`${change}\n`);
    else stderr.write(`deadheat: ${change} failed: ${printable(failure)}\n`);
  }
  return changes.some(({ failure }) => failure !== null) ? exitCodes.environment : exitCodes.done;
}
