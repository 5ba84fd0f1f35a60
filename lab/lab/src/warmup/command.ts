import { statSync } from 'node:fs';
import {
  checkExports,
  choice,
  type Command,
  count,
  defineCommand,
  eraseLine,
  exitCodes,
  exportOption,
  group,
  option,
  parseDuration,
  reportStream,
  resolveTerminalStyle,
  text,
  UsageError,
  withInterruption,
  writeExport,
} from '@deadheat/cli/kit';
import { builtInParserSchema } from '@deadheat/model';
import { renderStudy, studyCsv } from '@deadheat/report';
import { renderStudyFiles } from '../study/render-study-files.ts';
import { studyOutputOptions, writeFigures } from '../study/write-study.ts';
import { findWarmup, findWarmupOfRecording } from './find-warmup.ts';
import { warmupCriteria } from './warmup-points.ts';
import { warmupFigures } from './warmup-tables.ts';

/** `deadheat lab warmup`: the time at which a program is warm. */
export const warmup: Command = defineCommand({
  description:
    'Finds out when a program that measures its own iterations is warm. It runs the program alone, under the profiler of its virtual machine, and reports four points in time: when the times vary little, when they are stable, when the program executes only code that is not compiled again, and when the share of code from the best compiler no longer grows. In place of a command it takes a recording; of that, and of programs that cannot be profiled, it reports the first two.',
  usage: "[options] ('command' | RECORDING)",
  args: { '<command>': 'a command, or the folder of a recording' },
  options: {
    ...group('How much to measure:', {
      runs: option('-r, --runs <N>', {
        help: 'number of times that the program is started',
        parse: count(1),
        fallback: '3',
      }),
      iterations: option('--iterations <N>', {
        help: 'number of iterations of each benchmark',
        parse: count(1),
        fallback: 'the program decides',
      }),
      parser: option('--parser <PARSER>', {
        help: `read the times of the iterations from what the program prints: ${builtInParserSchema.options.join(', ')}, or a module, ./parser.js (docs/parsers.md)`,
        parse: text('the name of a parser, or a module'),
      }),
    }),
    ...group('Analysis and verdict:', {
      window: option('--window <TIME>', {
        help: 'length of the time window over which the shares of code are computed',
        parse: parseDuration,
        fallback: 'a twentieth of the run, at least 100ms and at most 1m',
      }),
      criterion: option('--criterion <CRITERION>', {
        help: 'criterion by which times are stable: cv or rciw',
        parse: choice(warmupCriteria),
        default: 'cv',
      }),
      seed: option('--seed <TEXT>', {
        help: 'seed of the resampling of rciw',
        parse: text('a text'),
        default: 'warmup',
      }),
    }),
    ...studyOutputOptions,
    ...group('Output:', {
      export: exportOption({
        json: 'all results, with the kinds of code over time',
        csv: 'all tables in one file',
      }),
    }),
  },
  act: async (values, { command: commandLine }, terminal) => {
    const isRecording = statSync(commandLine, { throwIfNoEntry: false })?.isDirectory() === true;
    if (isRecording) refuseBesideRecording(values);
    const { iterations, parser, window: windowNs, criterion, seed, figures, export: exports, style } = values;
    const request = { commandLine, runs: values.runs ?? 3, iterations, parser, windowNs, criterion, seed };
    checkExports(exports);
    const { stderr, env } = terminal;
    const { interactive } = resolveTerminalStyle(style, { stream: stderr, variables: env });
    const show = (line: string): void => void (interactive && stderr.write(`${eraseLine}${line}`));
    const found = isRecording
      ? await findWarmupOfRecording(commandLine, request)
      : await withInterruption(async (signal) => {
          try {
            const onRun = (run: number): void => show(`profiling, run ${run + 1} of ${request.runs}`);
            return await findWarmup(request, { searchPath: env['PATH'] ?? '', signal, onRun });
          } finally {
            show('');
          }
        });
    const stream = terminal[reportStream(exports)];
    stream.write(renderStudy(found, resolveTerminalStyle(style, { stream, variables: env })));
    writeExport(exports.json, { content: `${JSON.stringify(found, null, 2)}\n`, terminal });
    writeExport(exports.csv, { content: studyCsv(found), terminal });
    if (figures !== null) {
      const drawn = warmupFigures(found.runs.flatMap(({ benchmarks }) => benchmarks));
      const study = { kind: 'warmup', tables: found.tables, figures: drawn } as const;
      writeFigures(figures, renderStudyFiles(study, { recordings: [commandLine] }));
    }
    return exitCodes.done;
  },
  examples: `
Examples:
  deadheat lab warmup --iterations 200 'node bench.js'
  deadheat lab warmup --runs 10 --window 1s --export json:warm.json 'java -cp build Sort 2000'
  deadheat lab warmup --parser dacapo 'java -jar dacapo.jar -n 100 avrora'
  deadheat lab warmup .deadheat

The command must start node or java, and the program must measure the times of
its own iterations, as with --harness; with --parser it may be any program. Do
not compare the times that it takes here: the profiler slows it down.

Exit codes: 0 done; 2 the command line is wrong; 4 the program failed or cannot
be profiled; 130 interrupted.`,
});

/** Refuses what is about runs that are still to be made. */
function refuseBesideRecording(
  values: Readonly<Record<'runs' | 'iterations' | 'parser' | 'window', number | string | null>>,
): void {
  for (const key of ['runs', 'iterations', 'parser', 'window'] as const) {
    if (values[key] === null) continue;
    throw new UsageError('CONFLICT', `--${key} is for a command; the runs of a recording have been made`, {
      hint: `Leave --${key} out.`,
    });
  }
}
