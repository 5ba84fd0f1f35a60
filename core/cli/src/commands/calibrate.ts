import type { ExperimentDraft } from '@deadheat/engine';
import { renderStudy } from '@deadheat/report';
import {
  type CalibratedProgram,
  calibrationDraft,
  calibrationTables,
  draftToCalibrate,
  holdsResults,
  readCalibration,
  usualCalibration as defaults,
} from 'deadheat/planning';
import { readExperiment, runDraft } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { recordingOptions, styleOptions } from '../command/common-options.ts';
import { type Command, defineCommand } from '../command/define-command.ts';
import { measuringOptions } from '../command/measuring-options.ts';
import { count, exportOption, group, option, pick, share, spellingOf } from '../command/option.ts';
import type { OutputChoices } from '../command/output-options.ts';
import { readingOptions, toImportOptions } from '../command/reading-options.ts';
import { typedChanges, type TypedCommands, typedCommands } from '../command/typed-experiment.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { runWithProgress } from '../experiment/run-with-progress.ts';
import { reportStream, writeExport } from '../terminal/output.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';

const designOptions = group('How much to measure:', {
  shiftRate: option('--shift-rate <SHARE>', {
    help: 'rate of the rarest changes of performance that should be seen, per iteration. Long runs are made long enough for one such change to occur in a run with a probability of 50 %',
    parse: share({ zero: 'refused', example: '0.1%' }),
    fallback: '0.022%',
  }),
  longRuns: option('--long-runs <N>', {
    help: 'number of long runs',
    parse: count(1),
    fallback: String(defaults.longRuns),
  }),
  shortRuns: option('--short-runs <N>', {
    help: 'number of short runs',
    parse: count(2),
    fallback: String(defaults.shortRuns),
  }),
  shortIterations: option('--short-iterations <N>', {
    help: 'number of measured iterations in a short run',
    parse: count(2),
    fallback: String(defaults.shortIterations),
  }),
  warmupIterations: option('--warmup-iterations <N>', {
    help: 'number of iterations at the start of each run that are not used',
    parse: count(0),
    fallback: String(defaults.warmup),
  }),
});
const runKeys = ['method', 'seed', 'cpus', 'setup', 'cleanup'] as const;
const runOptions = pick(measuringOptions, runKeys);
const measuring = { ...designOptions, ...runOptions, ...group('Output:', recordingOptions) };

/** `deadheat calibrate`: the measurements that an experiment is planned from. */
export const calibrate: Command = defineCommand({
  description:
    'Makes the measurements that deadheat plan needs to plan an experiment: a few long runs, which show how much the performance changes while a program runs, and many short runs, which show how much runs and single measurements vary. The commands measure the times of their own iterations, as with --harness; or a file, as for deadheat run, describes the programs, which may also be programs whose output a parser reads. Afterwards: deadheat plan RECORDING. With a recording or result files of another tool in place of commands, it shows the estimates from those.',
  usage: "[options] ('command A' ['command B'] | FILE.yaml | RECORDING | FILE_OF_A [FILE_OF_B])",
  args: { '<commands...>': 'commands, the file of an experiment, a recording or files of results' },
  options: {
    ...measuring,
    ...readingOptions,
    ...group('Output:', { export: exportOption({ json: 'the estimates' }), ...styleOptions }),
  },
  act: async (values, { commands }, terminal) => {
    const [first = '', second, ...further] = commands;
    const choices = { exports: values.export, style: values.style };
    const isTyped = (key: keyof typeof values): boolean => values[key] !== null;
    if (further.length === 0 && commands.every(holdsResults)) {
      const idle = Object.entries(measuring).find(([key]) => isTyped(key as keyof typeof measuring));
      if (idle !== undefined) {
        throw new UsageError(
          'CONFLICT',
          `${spellingOf(idle[1].flags)} is about measurements to be made, and these are finished`,
          {
            hint: 'Leave it out, or name commands.',
          },
        );
      }
      const paths = second === undefined ? ([first] as const) : ([first, second] as const);
      const programs = await readCalibration({ paths, reading: toImportOptions(values) });
      showPrograms(programs, { origin: { files: paths }, choices, terminal });
      return exitCodes.done;
    }
    const reading = Object.entries(readingOptions).find(([key]) => isTyped(key as keyof typeof readingOptions));
    if (reading !== undefined) {
      throw new UsageError('CONFLICT', `${spellingOf(reading[1].flags)} is about result files, and there are none`);
    }
    const design: typeof defaults = {
      shiftRate: values.shiftRate ?? defaults.shiftRate,
      longRuns: values.longRuns ?? defaults.longRuns,
      shortRuns: values.shortRuns ?? defaults.shortRuns,
      shortIterations: values.shortIterations ?? defaults.shortIterations,
      warmup: values.warmupIterations ?? defaults.warmup,
    };
    const asked = Object.fromEntries(runKeys.map((key) => [key, values[key]]));
    const isFile = commands.length === 1 && /\.ya?ml$/.test(first);
    const draft = isFile
      ? await draftToCalibrate(first, { typed: typedChanges(asked).typed, variables: terminal.env })
      : await draftOf(typedCommands(commands, { ...asked, harness: true }, { most: 2 }), terminal);
    return calibratePrograms(draft, { design, output: values.output, choices, terminal });
  },
  examples: `
Examples:
  deadheat calibrate --output calibration 'node base.js' 'node change.js'
  deadheat calibrate --output calibration deadheat.yaml
  deadheat plan calibration --detect 1% --power 90%
  deadheat run`,
});

async function draftOf({ changes, ...typed }: TypedCommands, { env }: Terminal): Promise<ExperimentDraft> {
  return (await readExperiment(typed, { variables: env, changes })).draft;
}

type ShownAs = Pick<OutputChoices, 'exports' | 'style'>;

/** Shows the estimates of programs; `origin` names in the JSON the recording or the files that they come from. */
function showPrograms(
  programs: readonly CalibratedProgram[],
  { origin, choices, terminal }: { readonly origin: object; readonly choices: ShownAs; readonly terminal: Terminal },
): void {
  const stream = terminal[reportStream(choices.exports)];
  const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
  stream.write(renderStudy({ tables: calibrationTables(programs) }, style));
  const content = `${JSON.stringify({ schema: 'deadheat.calibration/1', ...origin, programs }, null, 2)}\n`;
  writeExport(choices.exports['json'], { content, terminal });
}

/** Makes the measurements and shows the estimates. Returns the exit code. */
async function calibratePrograms(
  draft: ExperimentDraft,
  {
    design,
    output,
    choices,
    terminal,
  }: {
    readonly design: typeof defaults;
    readonly output: string | null;
    readonly choices: ShownAs;
    readonly terminal: Terminal;
  },
): Promise<number> {
  return runWithProgress((control) => runDraft(calibrationDraft(draft, design), { ...control, output }), {
    choices: { ...choices, failOn: null, limits: [], undecided: 'fail', jobSummary: true, view: {} },
    terminal,
    show: async ({ directory }) => {
      const programs = await readCalibration({ paths: [directory] });
      showPrograms(programs, { origin: { directory }, choices, terminal });
      const stream = terminal[reportStream(choices.exports)];
      const style = resolveTerminalStyle(choices.style, { stream, variables: terminal.env });
      if (!style.quiet) stream.write(`\nPlan an experiment with it: deadheat plan '${directory}' --budget 10m\n`);
      return exitCodes.done;
    },
  });
}
