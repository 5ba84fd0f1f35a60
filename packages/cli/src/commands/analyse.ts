import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SegmentRequest } from '@deadheat/analysis';
import { analyseRecorded, RecordError } from '@deadheat/engine';
import type { FamilyCorrection, IntervalKind, Metric, Rejudgement, Report } from '@deadheat/model';
import { analyseImported, ImportError } from '@deadheat/readers';
import type { Command } from 'commander';
import { UsageError } from 'deadheat/settings';
import { addExperimentFlags } from '../arguments/experiment-flags.ts';
import type { OutputChoices, ReadingChoices } from '../arguments/invocation.ts';
import { addExitOptions, addOutputOptions, readOutputChoices } from '../arguments/output-options.ts';
import type { RawAnalyseOptions } from '../arguments/raw-options.ts';
import { addReadingOptions, readReadingChoices } from '../arguments/reading-options.ts';
import { addSegmentOptions, type RawSegmentOptions, readSegmentRequest } from '../arguments/segment-options.ts';
import { finish } from '../experiment/finish.ts';
import { checkExports } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { tool } from '../version.ts';
import type { SubcommandContext } from './subcommand.ts';

/** A recording judged again, or files of other tools; `null` keeps what the recording says, or the default. */
interface AnalyseRequest extends OutputChoices {
  readonly path: string;
  /** File of side B; `null` = `path` holds both sides. */
  readonly second: string | null;
  /** `null` = nothing was said about how to read. */
  readonly reading: ReadingChoices | null;
  readonly confidence: number | null;
  readonly margin: number | null;
  readonly metric: 'auto' | Metric | null;
  readonly interval: IntervalKind | null;
  readonly correction: FamilyCorrection | null;
  /** Also look for segments; `null` = no. */
  readonly segments: SegmentRequest | null;
}

/** `deadheat analyse`: a recording judged again, or files of other tools. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('analyse')
    .description(
      'Judges a recording again, by its own settings or by others; or two result files of other tools, ' +
        'the first as A and the second as B. docs/formats/imports.md tells which.',
    )
    .usage('[options] RECORDING\n       deadheat analyse [options] FILE_OF_A FILE_OF_B')
    .argument('<path>', 'folder of a recording, or a file or folder of results')
    .argument('[second]', 'file or folder of results of B')
    .action((path: string, second: string | undefined, raw: RawAnalyseOptions & RawSegmentOptions) => {
      const { confidence = null, margin = null, metric = null, interval = null, correction = null } = raw;
      const request: AnalyseRequest = {
        path,
        second: second ?? null,
        reading: readReadingChoices(raw),
        confidence,
        margin,
        metric,
        interval,
        correction,
        segments: readSegmentRequest(raw),
        ...readOutputChoices(raw),
      };
      choose((terminal) => analyse(request, terminal), request);
    });
  const recorded = 'as recorded';
  addReadingOptions(command.optionsGroup('Result files of other tools:'));
  addExperimentFlags(command.optionsGroup('Judging:'), 'judging', {
    confidence: recorded,
    margin: recorded,
    metric: null,
    interval: recorded,
  });
  addSegmentOptions(command);
  addExitOptions(command);
  addOutputOptions(command.optionsGroup('Output:'));
  return command.helpOption('-h, --help', 'show this help').addHelpText('after', examples);
}

const examples = `
Examples:
  deadheat analyse .deadheat
      the newest recording once more
  deadheat analyse old.json new.json
      two files of hyperfine, JMH, pyperf, Google Benchmark and others
  deadheat analyse results-old results-new
      all files of a folder are runs of one side
  deadheat analyse --columns time=ms,run=fork --unit ms old.csv new.csv
      any table of times`;

/** `deadheat analyse PATH [PATH]`. Returns the exit code. */
async function analyse(invocation: AnalyseRequest, terminal: Terminal): Promise<number> {
  checkExports(invocation.exports);
  const { confidence, margin, metric, interval, correction } = invocation;
  const report = await judge(invocation, {
    ...(confidence === null ? {} : { confidence }),
    ...(margin === null ? {} : { margin }),
    ...(metric === null ? {} : { metric }),
    ...(interval === null ? {} : { interval }),
    ...(correction === null ? {} : { correction }),
  });
  return finish({ report, outcome: { kind: 'done' }, choices: invocation, terminal });
}

/** A folder alone is a recording, or where it is none a folder of result files; all else are result files. */
async function judge(invocation: AnalyseRequest, changes: Rejudgement): Promise<Report> {
  const { path, second, reading, segments } = invocation;
  const readFiles = async (): Promise<Report> => {
    const { columns = null, unit = 'ns', formats = { A: null, B: null } } = reading ?? {};
    return analyseImported({
      paths: second === null ? [path] : [path, second],
      reading: { A: { format: formats.A, columns, unit }, B: { format: formats.B, columns, unit } },
      changes,
      segments,
      tool,
    });
  };
  if (second !== null || reading !== null) {
    refuseRecording(path);
    if (second !== null) refuseRecording(second);
    return readFiles();
  }
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return readFiles();
  try {
    return await analyseRecorded(path, changes, { segments });
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'NOT_A_RECORDING') throw error;
    return readFiles().catch((failure: unknown) => {
      throw failure instanceof ImportError && failure.code === 'NOTHING_TO_IMPORT' ? error : failure;
    });
  }
}

function refuseRecording(path: string): void {
  if (!existsSync(join(path, 'experiment.json'))) return;
  throw new UsageError('CONFLICT', `${path} is a recording, which holds both sides itself`, {
    hint: `Analyse it alone: deadheat analyse ${path}. Two files, and --format, are for results of other tools.`,
  });
}
