import { randomBytes } from 'node:crypto';
import { defaultTuning, settingFiles, tuningDirectory, tuningNames, type TuningName } from '@deadheat/engine';
import { workloadNames, type WorkloadName } from '@deadheat/workloads';
import type { StyleChoice } from '../../arguments/invocation.ts';
import { addStyleOption } from '../../arguments/output-options.ts';
import { parseChoices, parseCount, parseCpus, parseDuration, parseText, UsageError } from 'deadheat/settings';
import { doctorDefaults, quickDoctor } from './doctor-request.ts';
import { doctor, type DoctorChoices } from './doctor.ts';
import { applySettings, restoreSettings } from './tune.ts';
import type { Subcommand } from '../subcommand.ts';

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
export const doctorSubcommand: Subcommand = ({ create, choose }) => {
  const command = create('doctor')
    .summary('what disturbs this machine, and what to do')
    .description(
      'Measures artificial workloads against themselves, in tandems, in duets and one after the other, and tells what slowdowns this machine ' +
        'can see by each method, what disturbs it, by measured effect, and what to do about it with and without root. Takes ' +
        'about a minute. With --apply it sets the machine for measuring, and with --restore back to what it was.',
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
    .optionsGroup('How much:')
    .option('--max-time <TIME>', 'time for everything (default: 60s)', parseDuration('--max-time'))
    .option('--quick', `20 s of ${quickDoctor.workloads.join(',')}, which tells less`)
    .option('--runs <N>', 'runs by each method, however long they take', parseCount('--runs', leastRuns))
    .option(
      '--workload <LIST>',
      `some of ${workloadNames.join(', ')} (default: ${doctorDefaults.workloads.join(',')})`,
      parseChoices('--workload', workloadNames),
    )
    .option('--no-measure', 'only look at the machine: at once, and without effects')
    .option('--cpus <LIST>', 'cores of the sides, such as 0,1 (default: chosen)', parseCpus('--cpus'))
    .option('--seed <TEXT>', 'everything random comes from it (default: a new one)', parseText('--seed', 'a text'));
  command
    .optionsGroup('Settings of the machine:')
    .option(
      '--apply [LIST]',
      `as root: set some of ${tuningNames.join(', ')} for measuring (default: ${defaultTuning.join(',')}); keeps the former values first`,
      parseChoices('--apply', tuningNames),
    )
    .option('--restore', 'as root: put back exactly what was there before --apply');
  command
    .optionsGroup('Output:')
    .option(
      '--export-json <FILE>',
      'write everything as JSON (- = stdout)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    )
    .option('--output <DIR>', 'keep the recording in this folder', parseText('--output', 'a folder'));
  addStyleOption(command);
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat doctor
  deadheat doctor --quick --export-json doctor.json
  sudo deadheat doctor --apply && deadheat run; sudo deadheat doctor --restore`,
  );
};

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
