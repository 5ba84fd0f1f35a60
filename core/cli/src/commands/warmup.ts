import { statSync } from 'node:fs';
import {
  warmupCriteria,
  type WarmupCriterion,
  warmupFigures,
  findWarmup,
  findWarmupOfRecording,
  type WarmupRequest,
  renderStudyFiles,
} from '@deadheat/lab';
import { builtInParserSchema } from '@deadheat/model';
import type { Command } from 'commander';
import { parseChoice, parseCount, parseDuration, parseText, UsageError } from 'deadheat/settings';
import { renderStudy, studyCsv } from '@deadheat/report';
import type { OutputChoices } from '../command/output-options.ts';
import { addFigureOption, addStyleOption, readOutputChoices } from '../arguments/output-options.ts';
import type { RawOutputOptions } from '../arguments/raw-options.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { withInterruption } from '../terminal/interruption.ts';
import { checkExports, reportStream, writeExport, writeFigures } from '../terminal/output.ts';
import { eraseLine } from '../terminal/guarded.ts';
import { resolveTerminalStyle } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawWarmupOptions extends Pick<RawOutputOptions, 'exportJson' | 'exportCsv' | 'style'> {
  readonly runs?: number;
  readonly iterations?: number;
  readonly parser?: string;
  readonly window?: number;
  readonly criterion?: WarmupCriterion;
  readonly seed?: string;
  readonly figures?: string;
}

const defaultRuns = 3;

/** `deadheat warmup`: when a program is warm. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('warmup')
    .description(
      'Finds out when a program that measures its own iterations is warm. It runs the program alone, under the profiler of its virtual machine, and reports four points in time: when the times vary little, when they are stable, when the program executes only code that is not compiled again, and when the share of code from the best compiler no longer grows. In place of a command it takes a recording; of that, and of programs that cannot be profiled, it reports the first two.',
    )
    .usage("[options] ('command' | RECORDING)")
    .argument('<command>')
    .action((commandLine: string, raw: RawWarmupOptions) => {
      const isRecording = isFolder(commandLine);
      if (isRecording) refuseBesideRecording(raw);
      const request = {
        commandLine,
        runs: raw.runs ?? defaultRuns,
        iterations: raw.iterations ?? null,
        parser: raw.parser ?? null,
        windowNs: raw.window ?? null,
        criterion: raw.criterion ?? 'cv',
        seed: raw.seed ?? 'warmup',
      };
      const choices = readOutputChoices(raw);
      choose((terminal) => showWarmup(request, { isRecording, figures: raw.figures ?? null, choices, terminal }));
    });
  command
    .optionsGroup('How much to measure:')
    .option(
      '-r, --runs <N>',
      `number of times that the program is started (default: ${defaultRuns})`,
      parseCount('--runs', 1),
    )
    .option(
      '--iterations <N>',
      'number of iterations of each benchmark (default: the program decides)',
      parseCount('--iterations', 1),
    )
    .option(
      '--parser <PARSER>',
      `read the times of the iterations from what the program prints: ${builtInParserSchema.options.join(', ')}, or a module, ./parser.js (docs/parsers.md)`,
      parseText('--parser', 'the name of a parser, or a module'),
    );
  command
    .optionsGroup('Analysis and verdict:')
    .option(
      '--window <TIME>',
      'length of the time window over which the shares of code are computed (default: a twentieth of the run, at least 100ms and at most 1m)',
      parseDuration('--window'),
    )
    .option(
      '--criterion <CRITERION>',
      'criterion by which times are stable: cv (default) or rciw',
      parseChoice('--criterion', warmupCriteria),
    )
    .option('--seed <TEXT>', 'seed of the resampling of rciw (default: warmup)', parseText('--seed', 'a text'));
  const file = (flag: string): ((value: string) => string) => parseText(flag, 'the name of a file, or - for stdout');
  command
    .optionsGroup('Output:')
    .option(
      '--export-json <FILE>',
      'write all results as JSON, including the kinds of code over time (- = standard output)',
      file('--export-json'),
    )
    .option('--export-csv <FILE>', 'write all tables into one CSV file', file('--export-csv'));
  addStyleOption(command);
  addFigureOption(command);
  return command.helpOption('-h, --help', 'show this help').addHelpText(
    'after',
    `
Examples:
  deadheat warmup --iterations 200 'node bench.js'
  deadheat warmup --runs 10 --window 1s --export-json warm.json 'java -cp build Sort 2000'
  deadheat warmup --parser dacapo 'java -jar dacapo.jar -n 100 avrora'
  deadheat warmup .deadheat

The command must start node or java, and the program must measure the times of
its own iterations, as with --harness; with --parser it may be any program. Do
not compare the times that it takes here: the profiler slows it down.

Exit codes: 0 done; 2 the command line is wrong; 4 the program failed or cannot
be profiled; 130 interrupted.
`,
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What is about runs that are still to be made. */
function refuseBesideRecording(raw: RawWarmupOptions): void {
  for (const key of ['runs', 'iterations', 'parser', 'window'] as const) {
    if (raw[key] === undefined) continue;
    throw new UsageError('CONFLICT', `--${key} is for a command; the runs of a recording have been made`, {
      hint: `Leave --${key} out.`,
    });
  }
}

/** `deadheat warmup`. Returns the exit code. */
async function showWarmup(
  request: WarmupRequest,
  {
    isRecording,
    figures,
    choices,
    terminal,
  }: {
    readonly isRecording: boolean;
    readonly figures: string | null;
    readonly choices: OutputChoices;
    readonly terminal: Terminal;
  },
): Promise<ExitCode> {
  const { exports } = choices;
  checkExports(exports);
  const { stderr, env } = terminal;
  const { interactive } = resolveTerminalStyle(choices.style, { stream: stderr, variables: env });
  const tell = (line: string): void => void (interactive && stderr.write(`${eraseLine}${line}`));
  const found = isRecording
    ? await findWarmupOfRecording(request.commandLine, request)
    : await withInterruption(async (signal) => {
        try {
          const onRun = (run: number): void => tell(`profiling, run ${run + 1} of ${request.runs}`);
          return await findWarmup(request, { searchPath: env['PATH'] ?? '', signal, onRun });
        } finally {
          tell('');
        }
      });
  const stream = terminal[reportStream(exports)];
  stream.write(renderStudy(found, resolveTerminalStyle(choices.style, { stream, variables: env })));
  writeExport(exports.json, { content: `${JSON.stringify(found, null, 2)}\n`, terminal });
  writeExport(exports.csv, { content: studyCsv(found), terminal });
  if (figures !== null) {
    const drawn = warmupFigures(found.runs.flatMap(({ benchmarks }) => benchmarks));
    const study = { kind: 'warmup', tables: found.tables, figures: drawn } as const;
    writeFigures(figures, renderStudyFiles(study, { recordings: [request.commandLine] }));
  }
  return exitCodes.done;
}
