import type { Command } from 'commander';
import { parseText, UsageError } from 'deadheat/settings';
import { exitCodes } from '../errors/exit-codes.ts';
import { type ExportFormat, exportFormats, formatOf } from 'deadheat/internals';
import { exportTo } from '../experiment/finish.ts';
import { checkWritable } from '../terminal/output.ts';
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
      'Writes a recording in the format of another tool. A message on standard error lists the data that this format cannot hold; docs/formats/exports.md describes the formats.',
    )
    .usage('--format FORMAT [--output FILE] RECORDING')
    .argument('<recording>')
    .action((path: string, raw: RawExportOptions) => {
      const format = readFormat(raw.format);
      const { output = '-' } = raw;
      if (format.needsFile && output === '-') {
        throw new UsageError('MISSING_VALUE', `${format.id} cannot be written to standard output`, {
          hint: `Name a file: --output results.${format.id}`,
        });
      }
      choose(async (terminal) => {
        if (output !== '-') checkWritable('--output', output);
        await exportTo(output, { format, path, terminal });
        return exitCodes.done;
      });
    });
  return command
    .option('--format <FORMAT>', 'name of one of the formats below', parseText('--format', 'the name of a format'))
    .option(
      '--output <FILE>',
      'file to write (default: -, which is standard output)',
      parseText('--output', 'the name of a file, or -'),
    )
    .helpOption('-h, --help', 'show this help')
    .addHelpText(
      'after',
      `
Formats:
${listed}

Examples:
  deadheat export --format bmf .deadheat
      write the newest recording of this folder for Bencher

  deadheat export --format go duet > duet.txt && benchstat -col side duet.txt`,
    );
}

function readFormat(typed: string | undefined): ExportFormat {
  if (typed === undefined) {
    const ids = exportFormats.map(({ id }) => id);
    throw new UsageError('MISSING_VALUE', 'an export needs --format', { hint: `There are ${ids.join(', ')}.` });
  }
  return formatOf(typed, '--format');
}
