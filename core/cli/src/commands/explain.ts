import { join } from 'node:path';
import { analyseRecorded, reportRecorded } from '@deadheat/engine';
import { recordingFiles } from '@deadheat/model';
import { readExperiment, writeNamedFile } from '@deadheat/recording';
import { renderPage } from '@deadheat/report';
import { parseDuration, UsageError } from 'deadheat/settings';
import { styleOptions } from '../command/common-options.ts';
import { type Command, defineCommand } from '../command/define-command.ts';
import { count, exportOption, group, option, text } from '../command/option.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { defaultPairs, explainRecording, explanationFormats } from '../experiment/explain-recording.ts';
import { checkExports, reportStream } from '../terminal/output.ts';

/** `deadheat explain`: the functions behind a difference. */
export const explain: Command = defineCommand({
  description:
    'Finds the functions that account for a difference. Both programs of a recorded comparison are executed in further pairs of runs, on the same cores and in the same way, under the sampler of their runtime: the CPU profiler of V8 for Node, a sampler of its own for CPython, Java Flight Recorder for Java, and perf for everything else. Each function gets the CPU time that it took itself in A and in B, and the difference with an interval that holds for all functions at once. RECORDING is a recording, or a folder of recordings, of which the newest is used (default: .deadheat). The recording keeps what is found, and its report.html shows it with a flame graph of the difference. More: docs/explain.md.',
  usage: '[options] [RECORDING]',
  args: { '[recording]': 'the folder of a recording, or of recordings' },
  options: {
    ...group('What to run:', {
      benchmark: option('--benchmark <NAME>', {
        help: 'the benchmark to explain',
        parse: text('the name of a benchmark'),
        fallback: 'the slowest one',
      }),
      pairs: option('--pairs <N>', {
        help: 'pairs of runs; at least 5',
        parse: count(5),
        default: defaultPairs,
      }),
      maxTime: option('--max-time <TIME>', {
        help: 'time after which no further pair begins; there are at least 5 pairs, or no explanation: 90s, 5m',
        parse: (flagName) => parseDuration(flagName),
      }),
    }),
    ...group('Output:', { export: exportOption(explanationFormats), ...styleOptions }),
  },
  act: async ({ benchmark, pairs, maxTime, export: exports, style }, { recording }, terminal) => {
    checkExports(exports);
    if (exports.pprof === '-') {
      throw new UsageError('MISSING_VALUE', 'pprof cannot be written to standard output', {
        hint: 'Name a file: --export pprof:explain.pb.gz',
      });
    }
    const report = await analyseRecorded(recording ?? '.deadheat');
    const directory = report.experiment.recording;
    const { config } = await readExperiment(directory);
    await explainRecording(
      { directory, config, report, benchmark, pairs, maxTimeNs: maxTime },
      { exports, style, terminal },
    );
    const page = join(directory, recordingFiles.page);
    await writeNamedFile(page, async (file) =>
      file.writeFile(renderPage(await reportRecorded(directory, { segments: 'auto' }))),
    );
    if (style !== 'none') terminal[reportStream(exports)].write(`report       ${page}\n`);
    return exitCodes.done;
  },
  examples: `
Examples:
  deadheat './old' './new' && deadheat explain
      compare, and then find the functions behind the difference
  deadheat explain --pairs 40 --export json:functions.json .deadheat/20260102T030405Z-old
      with twice the runs, and all functions as data
  deadheat explain --export pprof:explain.pb.gz && go tool pprof -top explain.pb.gz
      look at the difference with the tools of pprof
  deadheat git main --explain -- node bench.js
      explain a difference of two commits at once

Exit codes: 0 the explanation is complete; 2 the command line or the recording
is wrong; 4 a program failed or left no profile; 5 there is no sampler here, or
the kernel forbids it; 124 the time passed before there were five pairs;
130 interrupted.
`,
});
