import type { ExperimentDraft } from '@deadheat/engine';
import { askedMethodSchema } from '@deadheat/model';
import { renderStudy } from '@deadheat/report';
import type { Command } from 'commander';
import {
  type CalibratedProgram,
  type CalibrationDesign,
  calibrationDraft,
  type CalibrationSource,
  calibrationTables,
  draftToCalibrate,
  holdsResults,
  readCalibration,
  usualCalibration as defaults,
} from 'deadheat/planning';
import { draftOfCommands, runDraft } from 'deadheat/internals';
import { parseChoice, parseCount, parseCpus, parseShare, parseText, UsageError } from 'deadheat/settings';
import { flagOf } from '../arguments/flag-of.ts';
import type { OutputChoices } from '../arguments/invocation.ts';
import { addStyleOption, readOutputChoices } from '../arguments/output-options.ts';
import { probeFile } from '../arguments/probe-file.ts';
import type { RawAnalyseOptions, RawCompareOptions } from '../arguments/raw-options.ts';
import { addReadingOptions, readImportOptions } from '../arguments/reading-options.ts';
import { toCompareInvocation } from '../arguments/to-compare-invocation.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { runWithProgress } from '../experiment/run-with-progress.ts';
import { reportStream, writeExport } from '../terminal/output.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

type RawCalibrateOptions = Pick<
  RawCompareOptions,
  'method' | 'cpus' | 'seed' | 'setup' | 'cleanup' | 'output' | 'exportJson' | 'style'
> &
  Pick<RawAnalyseOptions, 'format' | 'columns' | 'unit'> & {
    readonly warmupIterations?: number;
    readonly shiftRate?: number;
    readonly longRuns?: number;
    readonly shortRuns?: number;
    readonly shortIterations?: number;
  };

/** `deadheat calibrate`: what an experiment must be planned from. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('calibrate')
    .description(
      'Makes the measurements that deadheat plan needs to plan an experiment: a few long runs, which show how much the performance changes while a program runs, and many short runs, which show how much runs and single measurements vary. The commands measure the times of their own iterations, as with --harness; or a file, as for deadheat run, describes the programs, which may also be programs whose output a parser reads. Afterwards: deadheat plan RECORDING. With a recording or result files of another tool in place of commands, it shows what those tell.',
    )
    .usage("[options] ('command A' ['command B'] | FILE.yaml | RECORDING | FILE_OF_A [FILE_OF_B])")
    .argument('<commands...>')
    .action((commands: readonly string[], raw: RawCalibrateOptions) => {
      const [first = '', second, ...further] = commands;
      if (further.length === 0 && commands.every(holdsResults)) {
        refuseBesideResults(raw);
        const paths = second === undefined ? ([first] as const) : ([first, second] as const);
        const source: CalibrationSource = { paths, reading: readImportOptions(raw) };
        choose(async (terminal) => {
          const programs = await readCalibration(source);
          showPrograms(programs, { told: { files: paths }, choices: readOutputChoices(raw), terminal });
          return exitCodes.done;
        });
        return;
      }
      const { format, columns, unit, ...measuring } = raw;
      for (const [key, value] of Object.entries({ format, columns, unit })) {
        if (value !== undefined) throw new UsageError('CONFLICT', `--${key} is about result files, and there are none`);
      }
      const { shiftRate, longRuns, shortRuns, shortIterations, warmupIterations, ...compare } = measuring;
      const design: CalibrationDesign = {
        shiftRate: shiftRate ?? defaults.shiftRate,
        longRuns: longRuns ?? defaults.longRuns,
        shortRuns: shortRuns ?? defaults.shortRuns,
        shortIterations: shortIterations ?? defaults.shortIterations,
        warmup: warmupIterations ?? defaults.warmup,
      };
      if (commands.length === 1 && /\.ya?ml$/.test(first)) {
        const { method, seed = null, output = null } = raw;
        refuseBesideFile(raw);
        const chosen = method === undefined || method === 'auto' ? null : method;
        choose((terminal) => {
          const draft = (): ExperimentDraft =>
            draftToCalibrate(first, { method: chosen, seed, variables: terminal.env });
          return calibratePrograms(draft, { design, output, choices: readOutputChoices(raw), terminal });
        });
        return;
      }
      const invocation = toCompareInvocation(commands, { ...compare, harness: true }, { probeFile, most: 2 });
      choose((terminal) => {
        const draft = (): ExperimentDraft => draftOfCommands(invocation, { variables: terminal.env });
        return calibratePrograms(draft, { design, output: invocation.output, choices: invocation, terminal });
      });
    });
  command
    .optionsGroup('How much to measure:')
    .option(
      '--shift-rate <SHARE>',
      'rate of the rarest changes of performance that should be seen, per iteration. Long runs are made long enough for one such change to occur in a run with a probability of 50 % (default: 0.022%)',
      parseShare('--shift-rate', { zero: 'refused', example: '0.1%' }),
    )
    .option('--long-runs <N>', `number of long runs (default: ${defaults.longRuns})`, parseCount('--long-runs', 1))
    .option('--short-runs <N>', `number of short runs (default: ${defaults.shortRuns})`, parseCount('--short-runs', 2))
    .option(
      '--short-iterations <N>',
      `number of measured iterations in a short run (default: ${defaults.shortIterations})`,
      parseCount('--short-iterations', 2),
    )
    .option(
      '--warmup-iterations <N>',
      `number of iterations at the start of each run that are not used (default: ${defaults.warmup})`,
      parseCount('--warmup-iterations', 0),
    );
  command
    .optionsGroup('How to run:')
    .option(
      '--method <METHOD>',
      'method of the experiment that you plan: auto (default), tandem, sync-duet, async-duet or sequential',
      parseChoice('--method', askedMethodSchema.options),
    )
    .option(
      '--cpus <LIST>',
      "the cores to use, such as 0,1,2: those of the tandems; in a duet first A's core, then B's (default: deadheat chooses)",
      parseCpus('--cpus'),
    )
    .option('--seed <TEXT>', 'seed of all random choices (default: a new seed)', parseText('--seed', 'a text'))
    .option(
      '-s, --setup <CMD>',
      'shell command to execute once for each side, before its first run',
      parseText('--setup', 'a command'),
    )
    .option(
      '-c, --cleanup <CMD>',
      'shell command to execute once for each side, after its last run',
      parseText('--cleanup', 'a command'),
    );
  addReadingOptions(command.optionsGroup('Result files of other tools:'));
  command
    .optionsGroup('Output:')
    .option(
      '--export-json <FILE>',
      'write the estimates as JSON (- = standard output)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    )
    .option(
      '--output <DIR>',
      'folder in which the recording is stored (default: a new folder in .deadheat)',
      parseText('--output', 'a folder'),
    );
  addStyleOption(command);
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat calibrate --output calibration 'node base.js' 'node change.js'
  deadheat calibrate --output calibration deadheat.yaml
  deadheat plan calibration --detect 1% --power 90%
  deadheat run`,
  );
}

/** What a file says of its own. */
function refuseBesideFile(raw: RawCalibrateOptions): void {
  for (const key of ['cpus', 'setup', 'cleanup'] as const) {
    if (raw[key] === undefined) continue;
    throw new UsageError('CONFLICT', `${flagOf(key)} is for commands; a file says it itself`, {
      hint: `Write ${key} into the file.`,
    });
  }
}

/** What was measured is not measured again. */
function refuseBesideResults({
  format: _f,
  columns: _c,
  unit: _u,
  exportJson: _e,
  style: _s,
  ...raw
}: RawCalibrateOptions): void {
  const [key] = Object.entries(raw).find(([, value]) => value !== undefined) ?? [];
  if (key === undefined) return;
  throw new UsageError('CONFLICT', `${flagOf(key)} is about measurements to be made, and these are finished`, {
    hint: 'Leave it out, or name commands.',
  });
}

/** Shows what was learned of programs; `told` says in the JSON what it was learned from. */
function showPrograms(
  programs: readonly CalibratedProgram[],
  { told, choices, terminal }: { readonly told: object; readonly choices: OutputChoices; readonly terminal: Terminal },
): void {
  const stream = terminal[reportStream(choices.exports)];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  stream.write(renderStudy({ tables: calibrationTables(programs) }, style));
  const content = `${JSON.stringify({ schema: 'deadheat.calibration/1', ...told, programs }, null, 2)}\n`;
  writeExport(choices.exports.json, { content, terminal });
}

/** `deadheat calibrate`. Returns the exit code. */
async function calibratePrograms(
  makeDraft: () => ExperimentDraft,
  {
    design,
    output,
    choices,
    terminal,
  }: {
    readonly design: CalibrationDesign;
    readonly output: string | null;
    readonly choices: OutputChoices;
    readonly terminal: Terminal;
  },
): Promise<number> {
  const draft = makeDraft();
  return runWithProgress((control) => runDraft(calibrationDraft(draft, design), { ...control, output }), {
    choices,
    terminal,
    show: async ({ directory }) => {
      const programs = await readCalibration({ paths: [directory] });
      showPrograms(programs, { told: { directory }, choices, terminal });
      const stream = terminal[reportStream(choices.exports)];
      const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
      if (!style.quiet) stream.write(`\nPlan an experiment with it: deadheat plan '${directory}' --budget 10m\n`);
      return exitCodes.done;
    },
  });
}
