import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SegmentRequest } from '@deadheat/analysis';
import { DeadheatError, recordingFiles } from '@deadheat/model';
import { loadPackage } from '@deadheat/recording';
import { analyse as analyseFiles } from 'deadheat';
import { type Command, defineCommand } from '../command/define-command.ts';
import { measuringOptions, type MeasuringValues } from '../command/measuring-options.ts';
import { exitOptions, outputOptions, type OutputValues, toOutputChoices } from '../command/output-options.ts';
import {
  type ReadingChoices,
  readingOptions,
  segmentOptions,
  toReadingChoices,
  toSegmentRequest,
} from '../command/reading-options.ts';
import { checkExports, finish } from '../experiment/finish.ts';
import type { Terminal } from '../terminal/terminal.ts';

const { confidence, margin, judge, metric, interval } = measuringOptions;
const asRecorded = { fallback: 'as recorded' };

/** `deadheat analyse`: analyses a recording again, or files of other tools. */
export const analyse: Command = defineCommand({
  description:
    'Analyses a recording again, with its own settings or with other ones; or analyses two result files of other tools, the first as A and the second as B. docs/formats/imports.md lists these tools.',
  usage: '[options] RECORDING\n       deadheat analyse [options] FILE_OF_A FILE_OF_B',
  args: {
    '<path>': 'the folder of a recording, or a file or folder of results',
    '[second]': 'a file or folder of results of B',
  },
  options: {
    ...readingOptions,
    confidence: { ...confidence, ...asRecorded },
    margin: { ...margin, ...asRecorded },
    judge: { ...judge, ...asRecorded },
    metric: { ...metric, ...asRecorded },
    interval: { ...interval, ...asRecorded },
    ...segmentOptions,
    ...exitOptions,
    ...outputOptions,
  },
  act: async (values, { path, second }, terminal) => {
    const choices = toOutputChoices(values);
    const reading = toReadingChoices(values);
    checkExports(choices.exports, { ofFiles: second !== null || reading !== null || holdsFiles(path) });
    const segments = toSegmentRequest(values);
    try {
      const report = await analyseFiles(second === null ? path : [path, second], {
        segments,
        ...judgingOf(values),
        ...(reading === null ? {} : { format: reading.formats, unit: reading.unit }),
        ...(reading?.columns == null ? {} : { columns: reading.columns }),
      });
      return await finish({ report, outcome: { kind: 'done' }, choices, terminal });
    } catch (error) {
      if (segments === null || !(error instanceof DeadheatError) || error.code !== 'ONE_SIDE_ONLY') throw error;
      // Runs of one side cannot be compared, but classified.
      return classify(path, { reading, segments, values, terminal });
    }
  },
  examples: `
Examples:
  deadheat analyse .deadheat
      analyse the newest recording again
  deadheat analyse old.json new.json
      compare two files of hyperfine, JMH, pyperf, Google Benchmark or others
  deadheat analyse results-old results-new
      compare two folders; each file in a folder is one run of that side
  deadheat analyse --columns time=ms,run=fork --unit ms old.csv new.csv
      compare two tables of times`,
});

/** True for a place that is there and is neither a recording nor a folder of recordings. */
function holdsFiles(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  const folders = found?.isDirectory() === true ? [path, ...readdirSync(path).map((name) => join(path, name))] : [];
  return found !== undefined && !folders.some((folder) => existsSync(join(folder, recordingFiles.experiment)));
}

type JudgingValues = Pick<
  MeasuringValues,
  'confidence' | 'margin' | 'judge' | 'metric' | 'interval' | 'correction' | 'strict'
>;

/** The settings that were typed, for the library; those that were not keep what is recorded. */
function judgingOf(values: JudgingValues): NonNullable<Parameters<typeof analyseFiles>[1]> {
  const { confidence: level, margin: share, judge: quantity, metric: subject, interval: kind } = values;
  const { correction, strict } = values;
  return {
    ...(level === null ? {} : { confidence: level }),
    ...(share === null ? {} : { margin: share }),
    ...(quantity === null ? {} : { judge: quantity }),
    ...(subject === null ? {} : { metric: subject }),
    ...(kind === null ? {} : { interval: kind }),
    ...(correction === null ? {} : { correction }),
    ...(strict === true ? { strict } : {}),
  };
}

/** Shows the classes of the runs of one side, by the package for researchers. */
async function classify(
  path: string,
  {
    reading,
    segments: { window, penalty },
    values: { export: exports, style },
    terminal,
  }: {
    readonly reading: ReadingChoices | null;
    readonly segments: SegmentRequest;
    readonly values: Pick<OutputValues, 'export' | 'style'>;
    readonly terminal: Terminal;
  },
): Promise<number> {
  const showSteady = await loadPackage<
    (request: object, showing: { readonly output: object; readonly terminal: Terminal }) => Promise<number>
  >('@deadheat/lab', { exported: 'showSteady', user: 'deadheat analyse --segments of one side' });
  return showSteady(
    {
      paths: [path],
      seed: null,
      by: null,
      reading: reading === null ? {} : { format: reading.formats.A, columns: reading.columns, unit: reading.unit },
      ...(window === undefined ? {} : { window }),
      ...(penalty === undefined ? {} : { penalty }),
    },
    { output: { export: exports, style, figures: null }, terminal },
  );
}
