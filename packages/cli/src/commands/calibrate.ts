import { iterationsToSeeShift, probabilityToSeeShift, type StudyTable } from '@deadheat/analysis';
import type { ExperimentDraft } from '@deadheat/engine';
import { askedMethodSchema, type Benchmark } from '@deadheat/model';
import { chooseTimeUnit, formatTime, renderStudy } from '@deadheat/report';
import type { Command } from 'commander';
import { draftOfCommands, runDraft } from 'deadheat/internals';
import { parseChoice, parseCount, parseCpus, parseShare, parseText } from 'deadheat/settings';
import type { CompareInvocation } from '../arguments/invocation.ts';
import { addStyleOption } from '../arguments/output-options.ts';
import { probeFile } from '../arguments/probe-file.ts';
import type { RawCompareOptions } from '../arguments/raw-options.ts';
import { toCompareInvocation } from '../arguments/to-compare-invocation.ts';
import {
  type CalibratedProgram,
  calibrationParameter,
  type LengthOfRuns,
  readCalibration,
} from '../calibration/read-calibration.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { runWithProgress } from '../experiment/run-with-progress.ts';
import { reportStream, writeExport } from '../terminal/output.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

type RawCalibrateOptions = Pick<
  RawCompareOptions,
  'method' | 'cpus' | 'seed' | 'setup' | 'cleanup' | 'output' | 'exportJson' | 'style'
> & {
  readonly warmupIterations?: number;
  readonly shiftRate?: number;
  readonly longRuns?: number;
  readonly shortRuns?: number;
  readonly shortIterations?: number;
};

/** Sources: OOPSLA'26 section 7: the median rate of shifts, five long runs, 25 short ones of 30 observations. */
const defaults: CalibrationDesign = { shiftRate: 2.2e-4, longRuns: 5, shortRuns: 25, shortIterations: 30, warmup: 20 };

/** `deadheat calibrate`: what an experiment must be planned from. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('calibrate')
    .description(
      'Makes the measurements that deadheat plan needs to plan an experiment: a few long runs, which show how much the performance changes while a program runs, and many short runs, which show how much runs and single measurements vary. The commands measure the times of their own iterations, as with --harness. Afterwards: deadheat plan RECORDING.',
    )
    .usage("[options] 'command A' ['command B']")
    .argument('<commands...>')
    .action((commands: readonly string[], raw: RawCalibrateOptions) => {
      const { shiftRate, longRuns, shortRuns, shortIterations, warmupIterations, ...compare } = raw;
      const invocation = toCompareInvocation(commands, { ...compare, harness: true }, { probeFile });
      const design: CalibrationDesign = {
        shiftRate: shiftRate ?? defaults.shiftRate,
        longRuns: longRuns ?? defaults.longRuns,
        shortRuns: shortRuns ?? defaults.shortRuns,
        shortIterations: shortIterations ?? defaults.shortIterations,
        warmup: warmupIterations ?? defaults.warmup,
      };
      choose((terminal) => calibrateCommands(invocation, { design, terminal }));
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
  deadheat plan calibration --detect 1% --power 90%
  deadheat run`,
  );
}

/** How long and how many the runs of a calibration are. */
interface CalibrationDesign {
  /** Rarest shifts to be seen, shifts an iteration. */
  readonly shiftRate: number;
  readonly longRuns: number;
  readonly shortRuns: number;
  /** Measured iterations of a short run. */
  readonly shortIterations: number;
  /** Iterations before the measured ones, in every run. */
  readonly warmup: number;
}

/** `deadheat calibrate`. Returns the exit code. */
async function calibrateCommands(
  invocation: CompareInvocation,
  { design, terminal }: { readonly design: CalibrationDesign; readonly terminal: Terminal },
): Promise<number> {
  const draft = draftOfCommands(invocation, { variables: terminal.env });
  return runWithProgress(
    (control) => runDraft(toCalibration(draft, design), { ...control, output: invocation.output }),
    {
      choices: invocation,
      terminal,
      show: async ({ directory }) => {
        const programs = await readCalibration(directory);
        const stream = terminal[reportStream(invocation.exports)];
        const style = resolveTerminalStyle(invocation.style, { stream, variables: terminal.env });
        stream.write(renderStudy({ tables: calibrationTables(programs) }, style));
        if (!style.quiet) stream.write(`\nPlan an experiment with it: deadheat plan '${directory}' --budget 10m\n`);
        const content = `${JSON.stringify({ schema: 'deadheat.calibration/1', directory, programs }, null, 2)}\n`;
        writeExport(invocation.exports.json, { content, terminal });
        return exitCodes.done;
      },
    },
  );
}

/** Every benchmark twice, in long runs and in short ones. */
function toCalibration(draft: ExperimentDraft, design: CalibrationDesign): ExperimentDraft {
  const entry = (benchmark: Benchmark, length: LengthOfRuns): Benchmark => ({
    ...benchmark,
    params: { ...benchmark.params, [calibrationParameter]: length },
    own: {
      ...benchmark.own,
      stop: { kind: 'runs', runs: length === 'long' ? design.longRuns : design.shortRuns },
      maxTimeNs: null,
      leastRuns: 1,
      warmup: { kind: 'fixed', iterations: design.warmup },
      iterations: design.warmup + (length === 'long' ? iterationsToSeeShift(design.shiftRate) : design.shortIterations),
    },
  });
  return {
    ...draft,
    benchmarks: draft.benchmarks.flatMap((benchmark) => [entry(benchmark, 'long'), entry(benchmark, 'short')]),
  };
}

/** What was learned of every benchmark, as a table; standard deviations are those of the logarithm of B / A. */
function calibrationTables(programs: readonly CalibratedProgram[]): readonly StudyTable[] {
  const benchmarks = programs.flatMap((program) => program.benchmarks);
  const notes = benchmarks.flatMap(({ benchmark, warnings }) =>
    warnings.map(({ code, message }) => `${benchmark}: ${code}: ${message}`),
  );
  return [
    {
      title: 'What B / A varies by: standard deviations within segments, between segments of a run, between runs',
      source: "Antoch et al., OOPSLA'26, section 7 and appendix A.2",
      columns: [
        { name: 'benchmark', unit: 'text' },
        { name: 'metric', unit: 'text' },
        { name: 'measurements', unit: 'share' },
        { name: 'segments', unit: 'share' },
        { name: 'runs', unit: 'share' },
        { name: 'shifts seen', unit: 'count' },
        { name: 'shifts an iteration', unit: 'share' },
        { name: 'an iteration', unit: 'text' },
        { name: 'start and warm-up', unit: 'text' },
      ],
      rows: programs.flatMap(({ costs: { runNs }, benchmarks: own }) =>
        own.map(({ benchmark, metric, model, costs, seen }) => [
          benchmark,
          metric === 'cpu' ? 'cpu' : 'wall',
          Math.sqrt(model.measurementVariance),
          Math.sqrt(model.segmentVariance),
          Math.sqrt(model.runVariance),
          seen.shifts,
          model.shiftRate,
          formatNs(costs.iterationNs),
          formatNs(runNs),
        ]),
      ),
      notes: [...new Set([...programs.flatMap(methodOf), ...benchmarks.map(sightOf), ...notes])],
    },
  ];
}

function formatNs(ns: number): string {
  return formatTime(ns / 1e9, chooseTimeUnit(ns / 1e9));
}

/** The method that pilot runs chose. */
function methodOf({ entry: { name, chosen } }: CalibratedProgram): readonly string[] {
  return chosen === null ? [] : [`${name} is measured by ${chosen.method}: ${chosen.reason}`];
}

/** Which shifts the long runs could have seen. */
function sightOf({ seen }: CalibratedProgram['benchmarks'][number]): string {
  const { longRuns: runs, longIterations: iterations } = seen;
  const rate = Math.min(0.5, Math.LN2 / iterations);
  const percent = (100 * probabilityToSeeShift(rate, { runs, iterations })).toFixed(0);
  return `${runs} long runs of ${iterations} iterations see a shift that comes every ${Math.round(1 / rate)} iterations with a probability of ${percent} %`;
}
