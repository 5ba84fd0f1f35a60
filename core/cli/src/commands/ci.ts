import { randomBytes } from 'node:crypto';
import { checkParts } from '@deadheat/engine';
import { readConfig } from 'deadheat/internals';
import { defineCommand, type Command, type Family } from '../command/define-command.ts';
import { choice, count, option, text } from '../command/option.ts';
import { exitCodes } from '../errors/exit-codes.ts';

const matrix: Command = defineCommand({
  description:
    'Divides the experiment that the file describes into parts, and prints the matrix of CI jobs for them as one line of JSON. Each job runs its part with deadheat run --part, and a last job merges the parts with deadheat merge.',
  usage: '[options] --jobs N [FILE]',
  args: { '[file]': 'the file of the experiment' },
  options: {
    jobs: option('--jobs <N>', { help: 'number of parts; each part is one job', parse: count(1), required: '4' }),
    format: option('--format <FORMAT>', {
      help: 'CI system that reads the matrix: github or gitlab',
      parse: choice(['github', 'gitlab']),
      default: 'github',
    }),
    experimentId: option('--experiment-id <TEXT>', {
      help: 'identifier that all parts share',
      parse: text('a text'),
      fallback: 'a new one',
    }),
  },
  act: async ({ jobs, format, experimentId }, { file }, terminal) => {
    const searchPath = terminal.env['PATH'] ?? '';
    checkParts(readConfig(file, { cwd: process.cwd(), searchPath, defaultSeed: '' }), jobs);
    const id = experimentId ?? randomBytes(8).toString('hex');
    const parts = Array.from({ length: jobs }, (_, index) => `${index + 1}/${jobs}`);
    const jobMatrix =
      format === 'github'
        ? { include: parts.map((part, index) => ({ part, number: index + 1, experiment: id })) }
        : { parallel: { matrix: [{ DEADHEAT_PART: parts, DEADHEAT_EXPERIMENT: [id] }] } };
    terminal.stdout.write(`${JSON.stringify(jobMatrix)}\n`);
    return exitCodes.done;
  },
});

/** `deadheat ci`: commands for CI pipelines. */
export const ci: Family = {
  description: 'Helps CI pipelines that divide an experiment among several machines (docs/ci.md).',
  subcommands: [
    { name: 'matrix', summary: 'print the matrix of CI jobs for the parts of an experiment', load: async () => matrix },
  ],
};
