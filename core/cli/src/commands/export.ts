import { exportFormats, formatOf } from 'deadheat/internals';
import { type Command, defineCommand } from '../command/define-command.ts';
import { option, text } from '../command/option.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { checkFile, exportTo } from '../experiment/finish.ts';
import { checkWritable } from '../terminal/output.ts';

const width = Math.max(...exportFormats.map(({ id }) => id.length));
const listed = exportFormats.map(({ id, describe }) => `  ${id.padEnd(width)}  ${describe}`).join('\n');

/** `deadheat export`: a recording in the format of another tool. */
export const exportResults: Command = defineCommand({
  description:
    'Writes a recording in the format of another tool. A message on standard error lists the data that this format cannot hold; docs/formats/exports.md describes the formats.',
  usage: '--format FORMAT [--file FILE] RECORDING',
  args: { '<recording>': 'the folder of a recording' },
  options: {
    format: option('--format <FORMAT>', {
      help: 'name of one of the formats below',
      parse: (name) => (typed) => formatOf(typed, name),
      required: exportFormats.map(({ id }) => id).join(', '),
    }),
    file: option('--file <FILE>', {
      help: 'file to write; - = standard output',
      parse: text('the name of a file, or -'),
      default: '-',
    }),
  },
  act: async ({ format, file }, { recording }, terminal) => {
    checkFile(format, { file, flag: '--file ' });
    if (file !== '-') checkWritable('--file', file);
    await exportTo(file, { format, path: recording, terminal });
    return exitCodes.done;
  },
  examples: `
Formats:
${listed}

Examples:
  deadheat export --format bmf .deadheat
      write the newest recording of this folder for Bencher

  deadheat export --format go duet > duet.txt && benchstat -col side duet.txt`,
});
