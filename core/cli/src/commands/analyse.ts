import type { SegmentRequest } from '@deadheat/analysis';
import { DeadheatError, type FamilyCorrection, type IntervalKind, type Metric } from '@deadheat/model';
import type { Command } from 'commander';
import { analyse as judge } from 'deadheat';
import { studySteady } from '@deadheat/lab';
import type { OutputChoices, ReadingChoices } from '../arguments/invocation.ts';
import { addExperimentFlags } from '../arguments/experiment-flags.ts';
import { addExitOptions, addOutputOptions, readOutputChoices } from '../arguments/output-options.ts';
import type { RawAnalyseOptions } from '../arguments/raw-options.ts';
import { addReadingOptions, readReadingChoices } from '../arguments/reading-options.ts';
import { addSegmentOptions, readSegmentRequest, type RawSegmentOptions } from '../arguments/segment-options.ts';
import type { SubcommandContext } from './subcommand.ts';
import { checkExports, finish } from '../experiment/finish.ts';
import { writeStudy } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** A recording judged again, or files of other tools; `null` keeps what the recording says, or the default. */
interface AnalyseRequest extends OutputChoices {
  readonly path: string;
  /** File of side B; `null` = `path` holds both sides. */
  readonly second: string | null;
  /** `null` = nothing was said about how to read. */
  readonly reading: ReadingChoices | null;
  readonly confidence: number | null;
  readonly margin: number | null;
  readonly deadHeatBound: number | 'none' | null;
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
      'Analyses a recording again, with its own settings or with other ones; or analyses two result files of other tools, the first as A and the second as B. docs/formats/imports.md lists these tools.',
    )
    .usage('[options] RECORDING\n       deadheat analyse [options] FILE_OF_A FILE_OF_B')
    .argument('<path>', 'folder of a recording, or a file or folder of results')
    .argument('[second]', 'file or folder of results of B')
    .action((path: string, second: string | undefined, raw: RawAnalyseOptions & RawSegmentOptions) => {
      const { confidence = null, margin = null, metric = null, interval = null, correction = null } = raw;
      const { deadHeatBound = null } = raw;
      const request: AnalyseRequest = {
        path,
        second: second ?? null,
        reading: readReadingChoices(raw),
        confidence,
        margin,
        deadHeatBound,
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
  addExperimentFlags(command.optionsGroup('Analysis and verdict:'), 'judging', {
    confidence: recorded,
    margin: recorded,
    deadHeatBound: recorded,
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
      analyse the newest recording again
  deadheat analyse old.json new.json
      compare two files of hyperfine, JMH, pyperf, Google Benchmark or others
  deadheat analyse results-old results-new
      compare two folders; each file in a folder is one run of that side
  deadheat analyse --columns time=ms,run=fork --unit ms old.csv new.csv
      compare two tables of times
`;

/** `deadheat analyse PATH [PATH]`. Returns the exit code. */
async function analyse(invocation: AnalyseRequest, terminal: Terminal): Promise<number> {
  checkExports(invocation.exports);
  const { path, second, reading, segments, confidence, margin, deadHeatBound, metric, interval, correction, strict } =
    invocation;
  const judged = judge(second === null ? path : [path, second], {
    segments,
    ...(confidence === null ? {} : { confidence }),
    ...(margin === null ? {} : { margin }),
    ...(deadHeatBound === null ? {} : { deadHeatBound: deadHeatBound === 'none' ? null : deadHeatBound }),
    ...(metric === null ? {} : { metric }),
    ...(interval === null ? {} : { interval }),
    ...(correction === null ? {} : { correction }),
    ...(strict ? { strict } : {}),
    ...(reading === null ? {} : { format: reading.formats, unit: reading.unit }),
    ...(reading?.columns == null ? {} : { columns: reading.columns }),
  });
  const report = await judged.catch((error: unknown) => {
    if (segments !== null && error instanceof DeadheatError && error.code === 'ONE_SIDE_ONLY') return null;
    throw error;
  });
  if (report === null) return classify(invocation, { segments: segments ?? {}, terminal });
  return finish({ report, outcome: { kind: 'done' }, choices: invocation, terminal });
}

/** `deadheat analyse --segments FILE` of one side: nothing can be compared, but its runs can be classified. */
async function classify(
  { path, reading, ...choices }: AnalyseRequest,
  { segments: { window, penalty }, terminal }: { readonly segments: SegmentRequest; readonly terminal: Terminal },
): Promise<number> {
  const { study, recordings } = await studySteady({
    paths: [path],
    seed: null,
    by: null,
    reading:
      reading === null ? {} : { format: reading.formats.A, columns: reading.columns, unit: reading.unit ?? 'ns' },
    ...(window === undefined ? {} : { window }),
    ...(penalty === undefined ? {} : { penalty }),
  });
  return writeStudy(study, { recordings, choices, terminal });
}
