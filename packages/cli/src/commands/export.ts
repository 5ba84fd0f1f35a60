import { closeSync, openSync, writeSync } from 'node:fs';
import { analyseRecorded, findRecording, TrialRecords } from '@deadheat/engine';
import type { Command } from 'commander';
import { nearestWord, parseText, UsageError } from 'deadheat/settings';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { ExportFormat } from '../export/formats/export-format.ts';
import { exportFormats } from '../export/formats/export-formats.ts';
import { checkWritable } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

interface RawExportOptions {
  readonly format?: string;
  readonly output?: string;
}

const width = Math.max(...exportFormats.map(({ id }) => id.length));
const listed = exportFormats.map(({ id, describe }) => `  ${id.padEnd(width)}  ${describe}`).join('\n');

/** `deadheat export --format F RECORDING`: results for other tools. */
export function buildSubcommand({ create, choose }: SubcommandContext): Command {
  const command = create('export')
    .description(
      'Writes a recording in the format of another tool. What that format has no place for is told on standard error; ' +
        'docs/formats/exports.md says what becomes of what.',
    )
    .usage('--format FORMAT [--output FILE] RECORDING')
    .argument('<recording>')
    .action((path: string, raw: RawExportOptions) => {
      const format = readFormat(raw.format);
      const output = raw.output === undefined || raw.output === '-' ? null : raw.output;
      if (format.needsFile && output === null) {
        throw new UsageError('MISSING_VALUE', `${format.id} cannot be written to standard output`, {
          hint: `Name a file: --output results.${format.id}`,
        });
      }
      choose((terminal) => exportRecording({ format, path, output }, terminal));
    });
  return command
    .option('--format <FORMAT>', 'the format, one of those below', parseText('--format', 'the name of a format'))
    .option('--output <FILE>', 'file to write (default: -, stdout)', parseText('--output', 'the name of a file, or -'))
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Formats:
${listed}

Examples:
  deadheat export --format bmf .deadheat
      the newest recording here, for Bencher
  deadheat export --format go duet > duet.txt && benchstat -col side duet.txt`,
    );
}

function readFormat(typed: string | undefined): ExportFormat {
  const ids = exportFormats.map(({ id }) => id);
  if (typed === undefined) {
    throw new UsageError('MISSING_VALUE', 'an export needs --format', { hint: `There are ${ids.join(', ')}.` });
  }
  const format = exportFormats.find(({ id }) => id === typed);
  if (format !== undefined) return format;
  const nearest = nearestWord(typed.toLowerCase(), ids);
  throw new UsageError('BAD_VALUE', `there is no format '${typed}'`, {
    hint: nearest === null ? `There are ${ids.join(', ')}.` : `Did you mean --format ${nearest}?`,
  });
}

interface ExportInvocation {
  readonly format: ExportFormat;
  /** Folder of a recording. */
  readonly path: string;
  /** `null` = standard output. */
  readonly output: string | null;
}

/** `deadheat export`: a recording in another format; what the format has no place for is told. Returns the exit code. */
async function exportRecording(
  { format, path, output }: ExportInvocation,
  { stdout, stderr }: Terminal,
): Promise<ExitCode> {
  if (output !== null) checkWritable('--output', output);
  const recording = await findRecording(path);
  const { directory, trials } = recording;
  if (!trials.some(({ status, phase }) => status === 'ok' && phase === 'measure')) {
    throw new UsageError('BAD_VALUE', `${path} holds no run that counts, so there is nothing to export`, {
      hint: `Finish it: deadheat --resume '${directory}'`,
    });
  }
  const records = await new TrialRecords(directory).read(trials);
  const { content, losses } = await format.make({ recording, records, report: () => analyseRecorded(directory) });
  if (content.kind === 'file') {
    if (output === null) throw new RangeError(`${format.id} needs a file`);
    await content.write(output);
  } else if (output === null) for (const piece of content.pieces) stdout.write(piece);
  else writePieces(output, content.pieces);
  for (const loss of losses) stderr.write(`deadheat: ${loss}\n`);
  return exitCodes.done;
}

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, 'w');
  try {
    for (const piece of pieces) writeSync(file, piece);
  } finally {
    closeSync(file);
  }
}
