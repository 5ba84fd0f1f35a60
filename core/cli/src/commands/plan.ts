import { existsSync } from 'node:fs';
import type { PlanningGoal } from '@deadheat/analysis';
import { sides } from '@deadheat/model';
import { renderStudy } from '@deadheat/report';
import {
  describeGoal,
  planDocument,
  planPrograms,
  type PlanRequest,
  planTables,
  toPlannedFile,
} from 'deadheat/planning';
import { parseConfidence, parseDuration, UsageError } from 'deadheat/settings';
import { stringify } from 'yaml';
import { styleOptions } from '../command/common-options.ts';
import { type Command, defineCommand } from '../command/define-command.ts';
import { choice, exportOption, group, option, share, text } from '../command/option.ts';
import { readingOptions, toImportOptions } from '../command/reading-options.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { checkExports, writeExport, writeText } from '../terminal/output.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';

const defaultPower = 0.8;
const oneGoal = 'an experiment is planned for one goal';

/** `deadheat plan`: numbers of runs and iterations for a goal, from a calibration. */
export const plan: Command = defineCommand({
  description:
    'Plans an experiment from a recording of deadheat calibrate: the number of runs, and of iterations in a run, that give the narrowest interval within a given time, or a wanted precision in the shortest time. Writes the file that describes the planned experiment. From result files of another tool, as deadheat analyse reads them, it plans the numbers alone.',
  usage: '(RECORDING | FILE_OF_A [FILE_OF_B]) (--budget TIME | --width SHARE | --detect SHARE) [options]',
  args: {
    '<data>': 'the folder of a recording, or a file or folder of results',
    '[second]': 'a file or folder of results of B',
  },
  options: {
    ...group('Goal (one of these):', {
      budget: option('--budget <TIME>', {
        help: 'plan the narrowest interval that this time allows: 1h',
        parse: parseDuration,
        without: ['width', 'detect'],
        why: oneGoal,
      }),
      width: option('--width <SHARE>', {
        help: 'plan an interval that is this wide on each side of the estimate: 0.5%',
        parse: share({ zero: 'refused', example: '0.5%' }),
        without: ['detect'],
        why: oneGoal,
      }),
      detect: option('--detect <SHARE>', {
        help: 'plan an experiment whose verdict is SLOWER when the true slowdown is this large: 1%',
        parse: share({ zero: 'refused', example: '1%' }),
      }),
      side: option('--side <SIDE>', {
        help: 'plan the interval of the mean time of one side, A or B',
        parse: choice(sides),
        fallback: 'that of the ratio B / A',
        without: ['detect'],
        why: 'a slowdown is about both sides',
      }),
    }),
    ...readingOptions,
    ...group('Result files of other tools:', {
      start: option('--start <TIME>', {
        help: 'time that a run takes before its first iteration, which result files do not contain: 3s',
        parse: parseDuration,
        fallback: '0',
      }),
    }),
    ...group('Certainty:', {
      power: option('--power <SHARE>', {
        help: 'with --detect: probability that an experiment finds the slowdown',
        parse: share({ zero: 'refused', example: '90%' }),
        fallback: `${defaultPower * 100}%`,
        needs: ['detect'],
      }),
      confidence: option('--confidence <LEVEL>', {
        help: 'confidence level of the interval: 0.99 or 99%',
        parse: parseConfidence,
        fallback: 'that of the calibration',
      }),
    }),
    ...group('Output:', {
      write: option('--write <FILE>', {
        help: 'file to write the planned experiment to; an existing file is not overwritten; - = standard output',
        parse: text('the name of a file, or - for stdout'),
        fallback: 'deadheat.yaml',
      }),
      export: exportOption({ json: 'the plan' }),
      ...styleOptions,
    }),
  },
  act: async (values, { data, second }, terminal) => {
    const { side, write: asked, export: exports } = values;
    const goal = readGoal(values);
    if (asked === '-' && exports.json === '-') {
      throw new UsageError('CONFLICT', '--write - and --export json:- cannot both write to standard output');
    }
    checkExports(exports);
    const of = side ?? 'ratio';
    const request: PlanRequest = {
      goal,
      of,
      confidence: values.confidence,
      startNs: values.start ?? 0,
      reading: toImportOptions(values),
    };
    const planned = await planPrograms(second === null ? [data] : [data, second], request);
    const write = targetOf(asked, planned);
    const stream = terminal[write === '-' || exports.json === '-' ? 'stderr' : 'stdout'];
    const style = resolveTerminalStyle(values.style, { stream, variables: terminal.env });
    stream.write(renderStudy({ tables: planTables(planned, of) }, style));
    const subject = side === null ? '' : `side ${side} alone: `;
    const describe = (): string =>
      `# ${subject}${describeGoal(goal)}; from ${data}\n${stringify(toPlannedFile(planned, of))}`;
    if (write === '-') terminal.stdout.write(describe());
    else if (write !== null) {
      writeText(write, describe(), { flag: 'wx' });
      const then = side === null ? '' : `, then see the interval of ${side}: deadheat analyse --segments .deadheat`;
      if (!style.quiet) stream.write(`\nwritten: ${write}; run it with: deadheat run ${write}${then}\n`);
    }
    writeExport(exports.json, { content: `${JSON.stringify(planDocument(planned, request), null, 2)}\n`, terminal });
    return exitCodes.done;
  },
  examples: `
Examples:
  deadheat plan calibration --budget 1h
      plan the narrowest intervals that are possible within an hour
  deadheat plan calibration --detect 1% --power 90% --write nightly.yaml
      plan an experiment that finds a slowdown of 1 % in 9 of 10 cases
  deadheat plan old.json new.json --start 2s --width 1%
      plan forks and iterations of JMH from two of its files

  deadheat run nightly.yaml`,
});

function readGoal({
  budget,
  width,
  detect,
  power,
}: Readonly<Record<'budget' | 'width' | 'detect' | 'power', number | null>>): PlanningGoal {
  if (budget !== null) return { kind: 'budget', timeNs: budget };
  if (width !== null) return { kind: 'half-width', halfWidth: Math.log1p(width) };
  if (detect !== null) return { kind: 'detect', slowdown: detect, power: power ?? defaultPower };
  throw new UsageError('CONFLICT', 'deadheat plan needs one of --budget, --width and --detect', {
    hint: 'Such as: deadheat plan RECORDING --budget 1h.',
  });
}

/** The file to be written; `null` = none, because the commands of the programs are not known. */
function targetOf(asked: string | null, planned: Awaited<ReturnType<typeof planPrograms>>): string | null {
  if (!planned.every(({ program }) => program.hasCommands)) {
    if (asked === null) return null;
    throw new UsageError(
      'CONFLICT',
      '--write is for recordings: result files do not contain the commands of the programs',
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
