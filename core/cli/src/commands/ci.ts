import { randomBytes } from 'node:crypto';
import { checkParts } from '@deadheat/engine';
import { readConfig } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { recordingOptions } from '../command/common-options.ts';
import { type Command, defineCommand, type Family } from '../command/define-command.ts';
import { choice, count, group, option, text } from '../command/option.ts';
import { exitOptions, outputOptions, toOutputChoices } from '../command/output-options.ts';
import { exitCodes } from '../errors/exit-codes.ts';
import { mergeParts } from '../experiment/merge-parts.ts';

const matrix: Command = defineCommand({
  description:
    'Divides the experiment that the file describes into parts, and prints the matrix of CI jobs for them as one line of JSON. Each job runs its part with deadheat run --part, and a last job merges the parts with deadheat ci merge.',
  usage: '[options] [FILE]',
  args: { '[file]': 'the file of the experiment' },
  options: {
    jobs: option('--jobs <N>', {
      help: 'number of parts; each part is one job. With machines in the file it is a multiple of their number, and the jobs of a machine divide the benchmarks',
      parse: count(1),
      fallback: 'one for each of the machines in the file',
    }),
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
    const draft = await readConfig(file, { cwd: process.cwd(), searchPath, defaultSeed: '' });
    const { machines } = draft;
    const number = jobs ?? (typeof machines === 'object' ? machines.length : machines);
    if (number === undefined) {
      throw new UsageError('CONFLICT', 'the number of jobs is missing', {
        hint: 'Add --jobs 4, for instance, or machines: 4 to the file.',
      });
    }
    const experiment = experimentId ?? randomBytes(8).toString('hex');
    const all = checkParts(draft, number).map((machine, index) => ({
      part: `${index + 1}/${number}`,
      number: index + 1,
      experiment,
      ...(machine === null ? {} : { machine }),
    }));
    const variables = [...new Set(all.map(({ machine }) => machine))].map((machine) => ({
      DEADHEAT_PART: all.filter((job) => job.machine === machine).map(({ part }) => part),
      DEADHEAT_EXPERIMENT: [experiment],
      ...(machine === undefined ? {} : { DEADHEAT_MACHINE: [machine] }),
    }));
    const jobMatrix = format === 'github' ? { include: all } : { parallel: { matrix: variables } };
    terminal.stdout.write(`${JSON.stringify(jobMatrix)}\n`);
    return exitCodes.done;
  },
});

const merge: Command = defineCommand({
  description:
    'Merges the parts of an experiment, which deadheat run --part recorded, into one recording, and analyses it. If the parts come from several machines, the result also shows how these machines differ. A folder that is not a recording itself stands for all recordings in it.',
  usage: '[options] RECORDING...',
  args: { '<recordings...>': 'the folders of recordings' },
  options: { ...exitOptions, ...outputOptions, ...group('Output:', recordingOptions) },
  act: async (values, { recordings }, terminal) => {
    const choices = toOutputChoices(values);
    return mergeParts({ recordings, output: values.output, choices }, terminal);
  },
  examples: `
Examples:
  deadheat ci merge parts/1 parts/2 parts/3 --fail-on slower
  deadheat ci merge parts --output whole
      merge all recordings in the folder parts`,
});

/** `deadheat ci`: commands for CI pipelines. */
export const ci: Family = {
  description: 'Helps CI pipelines that divide an experiment among several machines (docs/ci.md).',
  subcommands: [
    { name: 'matrix', summary: 'print the matrix of CI jobs for the parts of an experiment', load: async () => matrix },
    {
      name: 'merge',
      summary: 'merge the parts of an experiment that ran on several machines',
      load: async () => merge,
    },
  ],
};
