import { existsSync } from 'node:fs';
import type { PlanningGoal } from '@deadheat/analysis';
import { type Side, sides } from '@deadheat/model';
import { renderStudy } from '@deadheat/report';
import type { Command } from 'commander';
import {
  type CalibrationSource,
  describeGoal,
  planDocument,
  type PlannedProgram,
  planPrograms,
  type PlanRequest,
  planTables,
  toPlannedFile,
} from 'deadheat/planning';
import { parseChoice, parseConfidence, parseDuration, parseShare, parseText, UsageError } from 'deadheat/settings';
import { stringify } from 'yaml';
import type { StyleChoice } from '../terminal/style.ts';
import { addStyleOption } from '../arguments/output-options.ts';
import type { RawAnalyseOptions } from '../arguments/raw-options.ts';
import { addReadingOptions, readImportOptions } from '../arguments/reading-options.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { checkExports, writeExport, writeText } from '../terminal/output.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawPlanOptions extends Pick<RawAnalyseOptions, 'format' | 'columns' | 'unit'> {
  readonly start?: number;
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
      'Plans an experiment from a recording of deadheat calibrate: the number of runs, and of iterations in a run, that give the narrowest interval within a given time, or a wanted precision in the shortest time. Writes the file that describes the planned experiment. From result files of another tool, as deadheat analyse reads them, it plans the numbers alone.',
    )
    .usage('(RECORDING | FILE_OF_A [FILE_OF_B]) (--budget TIME | --width SHARE | --detect SHARE) [options]')
    .argument('<data>', 'folder of a recording, or a file or folder of results')
    .argument('[second]', 'file or folder of results of B')
    .action((data: string, second: string | undefined, raw: RawPlanOptions) => {
      const goal = readGoal(raw);
      const paths = second === undefined ? ([data] as const) : ([data, second] as const);
      const {
        side: of = 'ratio',
        confidence = null,
        write = null,
        start: startNs = 0,
        exportJson: json = null,
        style = 'auto',
      } = raw;
      const request: PlanRequest = { goal, of, confidence, startNs, reading: readImportOptions(raw) };
      choose((terminal) => planExperiment(paths, { ...request, write, json, style, terminal }));
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
  addReadingOptions(command.optionsGroup('Result files of other tools:'));
  command.option(
    '--start <TIME>',
    'time that a run takes before its first iteration, which result files do not tell: 3s (default: 0)',
    parseDuration('--start'),
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
  deadheat plan old.json new.json --start 2s --width 1%
      plan forks and iterations of JMH from two of its files

  deadheat run nightly.yaml`,
  );
}

function readGoal({ side, budget, width, detect, power, write, exportJson }: RawPlanOptions): PlanningGoal {
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
  const wanted: PlanningGoal[] = [
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

interface PlanChoices extends PlanRequest {
  /** File for the experiment; `-` = stdout; `null` = the usual one, where the commands are known. */
  readonly write: string | null;
  readonly json: string | null;
  readonly style: StyleChoice;
  readonly terminal: Terminal;
}

/** `deadheat plan`. Returns the exit code. */
async function planExperiment(paths: CalibrationSource['paths'], choices: PlanChoices): Promise<ExitCode> {
  const { of, goal, json, terminal } = choices;
  checkExports({ json });
  const planned = await planPrograms(paths, choices);
  const write = targetOf(choices, planned);
  const stream = terminal[write === '-' || json === '-' ? 'stderr' : 'stdout'];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  stream.write(renderStudy({ tables: planTables(planned, of) }, style));
  const subject = of === 'ratio' ? '' : `side ${of} alone: `;
  const describe = (): string =>
    `# ${subject}${describeGoal(goal)}; from ${paths[0]}\n${stringify(toPlannedFile(planned, of))}`;
  if (write === '-') terminal.stdout.write(describe());
  else if (write !== null) {
    writeText(write, describe(), { flag: 'wx' });
    const then = of === 'ratio' ? '' : `, then see the interval of ${of}: deadheat analyse --segments .deadheat`;
    if (!style.quiet) stream.write(`\nwritten: ${write}; run it with: deadheat run ${write}${then}\n`);
  }
  writeExport(json, { content: `${JSON.stringify(planDocument(planned, choices), null, 2)}\n`, terminal });
  return exitCodes.done;
}

/** The file to be written; `null` = none, because nobody knows how the programs are started. */
function targetOf({ write: asked }: PlanChoices, planned: readonly PlannedProgram[]): string | null {
  if (!planned.every(({ program }) => program.hasCommands)) {
    if (asked === null) return null;
    throw new UsageError(
      'CONFLICT',
      '--write is for recordings: result files do not tell how the programs are started',
      {
        hint: 'Leave it out, and give the planned numbers to the tool that made the files.',
      },
    );
  }
  const write = asked ?? 'deadheat.yaml';
  if (write === '-' || !existsSync(write)) return write;
  throw new UsageError('BAD_VALUE', `${write} exists already, and a plan overwrites nothing`, {
    hint: 'Move it away, or name another file: --write FILE.',
  });
}
