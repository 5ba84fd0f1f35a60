import { existsSync, writeFileSync } from 'node:fs';
import { planDimensions, type PlanningGoal, type StudyTable } from '@deadheat/analysis';
import { configOf, type Experiment, type Side, sides } from '@deadheat/model';
import { formatStretch, renderStudy } from '@deadheat/report';
import type { Command } from 'commander';
import { parseChoice, parseConfidence, parseDuration, parseShare, parseText, UsageError } from 'deadheat/settings';
import { stringify } from 'yaml';
import type { StyleChoice } from '../../arguments/invocation.ts';
import { addStyleOption } from '../../arguments/output-options.ts';
import { type CalibratedProgram, readCalibration } from '../../calibration/read-calibration.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { checkExports, writeExport } from '../../terminal/output.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { SubcommandContext } from '../subcommand.ts';
import { type PlannedProgram, toPlannedFile } from './planned-file.ts';

interface RawPlanOptions {
  readonly side?: Side;
  readonly budget?: number;
  readonly width?: number;
  readonly detect?: number;
  readonly power?: number;
  readonly confidence?: number;
  readonly write?: string;
  readonly exportJson?: string;
  readonly style?: StyleChoice;
}

const defaultPower = 0.8;

/** `deadheat plan`: how many runs of how many iterations. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('plan')
    .description(
      'Plans an experiment from a recording of deadheat calibrate: the number of runs, and of iterations in a run, that give the narrowest interval within a given time, or a wanted precision in the shortest time. Writes the file that describes the planned experiment.',
    )
    .usage('RECORDING (--budget TIME | --width SHARE | --detect SHARE) [options]')
    .argument('<recording>')
    .action((recording: string, raw: RawPlanOptions) => {
      const wanted = readWanted(raw);
      const {
        side: of = 'ratio',
        confidence = null,
        write = 'deadheat.yaml',
        exportJson: json = null,
        style = 'auto',
      } = raw;
      choose((terminal) => planExperiment(recording, { wanted, of, confidence, write, json, style, terminal }));
    });
  command
    .optionsGroup('Goal (one of these):')
    .option('--budget <TIME>', 'plan the narrowest interval that this time allows: 1h', parseDuration('--budget'))
    .option(
      '--width <SHARE>',
      'plan an interval that is this wide on each side of the estimate: 0.5%',
      parseShare('--width', { zero: 'refused', example: '0.5%' }),
    )
    .option(
      '--detect <SHARE>',
      'plan an experiment whose verdict is SLOWER when the true slowdown is this large: 1%',
      parseShare('--detect', { zero: 'refused', example: '1%' }),
    );
  command.option(
    '--side <SIDE>',
    'plan the interval of the mean time of one side, A or B (default: that of the ratio B / A)',
    parseChoice('--side', sides),
  );
  command
    .optionsGroup('Certainty:')
    .option(
      '--power <SHARE>',
      'with --detect: probability that an experiment finds the slowdown (default: 80%)',
      parseShare('--power', { zero: 'refused', example: '90%' }),
    )
    .option(
      '--confidence <LEVEL>',
      'confidence level of the interval: 0.99 or 99% (default: that of the calibration)',
      parseConfidence('--confidence'),
    );
  command
    .optionsGroup('Output:')
    .option(
      '--write <FILE>',
      'file to write the planned experiment to; an existing file is not overwritten; - = standard output (default: deadheat.yaml)',
      parseText('--write', 'the name of a file, or - for stdout'),
    )
    .option(
      '--export-json <FILE>',
      'write the plan as JSON (- = standard output)',
      parseText('--export-json', 'the name of a file, or - for stdout'),
    );
  addStyleOption(command);
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat plan calibration --budget 1h
      plan the narrowest intervals that are possible within an hour
  deadheat plan calibration --detect 1% --power 90% --write nightly.yaml
      plan an experiment that finds a slowdown of 1 % in 9 of 10 cases

  deadheat run nightly.yaml`,
  );
}

function readWanted({ side, budget, width, detect, power, write, exportJson }: RawPlanOptions): WantedResult {
  if (write === '-' && exportJson === '-') {
    throw new UsageError('CONFLICT', '--write - and --export-json - cannot both write to standard output');
  }
  if (side !== undefined && detect !== undefined) {
    throw new UsageError('CONFLICT', `--detect is about B against A, and --side ${side} has no other`, {
      hint: 'Ask for --width or --budget.',
    });
  }
  if (power !== undefined && detect === undefined) {
    throw new UsageError('CONFLICT', '--power says how surely --detect is to be found, and there is no --detect');
  }
  const wanted: WantedResult[] = [
    ...(budget === undefined ? [] : [{ kind: 'budget' as const, timeNs: budget }]),
    ...(width === undefined ? [] : [{ kind: 'half-width' as const, halfWidth: Math.log1p(width) }]),
    ...(detect === undefined ? [] : [{ kind: 'detect' as const, slowdown: detect, power: power ?? defaultPower }]),
  ];
  const [only, ...more] = wanted;
  if (only !== undefined && more.length === 0) return only;
  throw new UsageError('CONFLICT', 'deadheat plan needs one of --budget, --width and --detect', {
    hint: 'Such as: deadheat plan RECORDING --budget 1h.',
  });
}

type WantedResult = PlanningGoal;

interface PlanChoices {
  readonly wanted: WantedResult;
  /** What the interval is of. */
  readonly of: Side | 'ratio';
  /** `null` = as calibrated. */
  readonly confidence: number | null;
  /** File for the experiment; `-` = stdout. */
  readonly write: string;
  readonly json: string | null;
  readonly style: StyleChoice;
  readonly terminal: Terminal;
}

/** `deadheat plan`. Returns the exit code. */
async function planExperiment(recording: string, choices: PlanChoices): Promise<ExitCode> {
  const { of, write, json, terminal } = choices;
  checkExports({ json });
  if (write !== '-' && existsSync(write)) {
    throw new UsageError('BAD_VALUE', `${write} exists already, and a plan overwrites nothing`, {
      hint: 'Move it away, or name another file: --write FILE.',
    });
  }
  const programs = await readCalibration(recording, of);
  const planned = programs.map((program) => planProgram(program, { ...choices, programs: programs.length }));
  const subject = of === 'ratio' ? '' : `side ${of} alone: `;
  const file = `# ${subject}${describe(choices.wanted)}; from ${recording}\n${stringify(toPlannedFile(planned, of))}`;
  const stream = terminal[write === '-' || json === '-' ? 'stderr' : 'stdout'];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  stream.write(renderStudy({ tables: planTables(planned, of) }, style));
  if (write === '-') terminal.stdout.write(file);
  else {
    writeFileSync(write, file, { flag: 'wx' });
    const then = of === 'ratio' ? '' : `, then see the interval of ${of}: deadheat analyse --segments .deadheat`;
    if (!style.quiet) stream.write(`\nwritten: ${write}; run it with: deadheat run ${write}${then}\n`);
  }
  const data = planned.map(({ program: { entry, costs, benchmarks }, dimensions, warmup, confidence, lanes }) => ({
    program: entry.name,
    method: methodOf(programs[0]?.experiment, entry),
    ...dimensions,
    timeNs: dimensions.timeNs / lanes,
    warmup,
    confidence,
    costs,
    benchmarks: benchmarks.map(({ benchmark, params, model }, k) => ({
      benchmark,
      params,
      model,
      halfWidth: dimensions.halfWidths[k],
      optimal: dimensions.optimal[k],
    })),
  }));
  const content = `${JSON.stringify({ schema: 'deadheat.planned/1', of, goal: choices.wanted, programs: data }, null, 2)}\n`;
  writeExport(json, { content, terminal });
  return exitCodes.done;
}

function methodOf(experiment: Experiment | undefined, entry: CalibratedProgram['entry']): string | null {
  return experiment === undefined ? null : configOf(experiment.config, entry).method;
}

function planProgram(
  program: CalibratedProgram,
  { wanted, confidence: asked, programs }: PlanChoices & { readonly programs: number },
): PlannedProgram {
  const config = configOf(program.experiment.config, program.entry);
  const confidence = asked ?? config.confidence;
  const lanes = config.method === 'tandem' ? config.lanes : 1;
  const goal: PlanningGoal =
    wanted.kind === 'budget' ? { ...wanted, timeNs: (wanted.timeNs * lanes) / programs } : wanted;
  const dimensions = planDimensions({
    models: program.benchmarks.map(({ model }) => model),
    costs: program.costs,
    goal,
    rules: { confidence },
  });
  if (dimensions === null) {
    const least = `a run costs ${(program.costs.runNs / 1e9).toFixed(1)} s before its first measured iteration`;
    throw new UsageError('BAD_VALUE', `${program.entry.name}: nothing reaches this (${describe(wanted)}); ${least}`, {
      hint: wanted.kind === 'budget' ? 'Give it at least five runs: a larger --budget.' : 'Ask for less.',
    });
  }
  const { warmup } = config;
  return { program, dimensions, warmup: warmup.kind === 'fixed' ? warmup.iterations : 0, confidence, lanes };
}

function describe(wanted: WantedResult): string {
  const percent = (share: number): string => `${Number((100 * share).toPrecision(4))} %`;
  switch (wanted.kind) {
    case 'budget':
      return `the most that can be known in ${Math.round(wanted.timeNs / 1e9)} s`;
    case 'half-width':
      return `an interval of at most ${percent(Math.expm1(wanted.halfWidth))} to each side`;
    case 'detect':
      return `a slowdown of ${percent(wanted.slowdown)} found in ${percent(wanted.power)} of experiments`;
  }
}

/** The planned dimensions of every program and what they are to bring. */
function planTables(planned: readonly PlannedProgram[], of: Side | 'ratio'): readonly StudyTable[] {
  const count = (value: number): string => (Number.isFinite(value) ? `${value}` : 'any');
  return [
    {
      title: `Planned runs and iterations, and how far intervals of ${of === 'ratio' ? 'B / A' : `the mean time of ${of}`} are to reach to each side`,
      source: "Antoch et al., OOPSLA'26, equations 3 and 4, sections 6.2 and 7",
      columns: [
        { name: 'benchmark', unit: 'text' },
        { name: 'runs', unit: 'count' },
        { name: 'iterations', unit: 'count' },
        { name: 'warm-up', unit: 'count' },
        { name: 'interval', unit: 'share' },
        { name: 'level', unit: 'share' },
        { name: 'time', unit: 'text' },
        { name: 'equation 4, short runs', unit: 'text' },
        { name: 'long runs', unit: 'text' },
      ],
      rows: planned.flatMap(({ program, dimensions, warmup, confidence, lanes }) =>
        program.benchmarks.map(({ benchmark }, k) => [
          benchmark,
          dimensions.runs,
          dimensions.iterations,
          warmup,
          Math.expm1(dimensions.halfWidths[k] ?? 0),
          confidence,
          formatStretch(dimensions.timeNs / lanes),
          count(dimensions.optimal[k]?.shortRuns ?? 0),
          count(dimensions.optimal[k]?.longRuns ?? 0),
        ]),
      ),
      notes: [
        "intervals by Student's t from equation 3; equation 4 is the number of measured iterations a run at either extreme",
        ...(planned.some(({ program }) => program.benchmarks.length > 1)
          ? ['time is that of the program with all its benchmarks']
          : []),
        ...[...new Set(planned.map(({ lanes }) => lanes))]
          .filter((lanes) => lanes > 1)
          .map((lanes) => `time is that of ${lanes} tandems at once`),
      ],
    },
  ];
}
