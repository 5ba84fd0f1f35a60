import { randomBytes } from 'node:crypto';
import { checkParts } from '@deadheat/engine';
import type { Command } from 'commander';
import { readConfig } from 'deadheat/internals';
import { parseChoice, parseCount, parseText, UsageError } from 'deadheat/settings';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SubcommandContext } from './subcommand.ts';

const formats: readonly MatrixFormat[] = ['github', 'gitlab'];

interface RawMatrixOptions {
  readonly jobs?: number;
  readonly format?: MatrixFormat;
  readonly experimentId?: string;
}

/** `deadheat ci`: what helps a pipeline. */
export function buildSubcommand(context: SubcommandContext): Command {
  return context
    .create('ci')
    .description('Helps CI pipelines that divide an experiment among several machines (docs/ci.md).')
    .enablePositionalOptions()
    .allowExcessArguments()
    .action((_options: object, { args: [word] }: Command) => {
      const what = word === undefined ? 'ci needs a subcommand' : `ci has no subcommand ${word}`;
      throw new UsageError('UNKNOWN_SUBCOMMAND', what, { hint: 'There is one: deadheat ci matrix --jobs 4' });
    })
    .addCommand(buildMatrix(context));
}

function buildMatrix({ create, choose }: SubcommandContext): Command {
  return create('matrix')
    .summary('print the matrix of CI jobs for the parts of an experiment')
    .description(
      'Divides the experiment that the file describes into parts, and prints the matrix of CI jobs for them as one line of JSON. Each job runs its part with deadheat run --part, and a last job merges the parts with deadheat merge.',
    )
    .usage('[options] --jobs N [FILE]')
    .argument('[file]', 'the file (default: deadheat.yaml or deadheat.yml)')
    .option('--jobs <N>', 'number of parts; each part is one job', parseCount('--jobs', 1))
    .option(
      '--format <FORMAT>',
      'CI system that reads the matrix: github (default) or gitlab',
      parseChoice('--format', formats),
    )
    .option(
      '--experiment-id <TEXT>',
      'identifier that all parts share (default: a new one)',
      parseText('--experiment-id', 'a text'),
    )
    .action((file: string | undefined, { jobs, format = 'github', experimentId }: RawMatrixOptions) => {
      if (jobs === undefined) {
        throw new UsageError('MISSING_VALUE', 'ci matrix needs --jobs', {
          hint: 'Such as deadheat ci matrix --jobs 4',
        });
      }
      const request = { file: file ?? null, jobs, format, experiment: experimentId ?? null };
      choose((terminal) => printMatrix(request, terminal));
    });
}

type MatrixFormat = 'github' | 'gitlab';

interface MatrixRequest {
  /** `null` = deadheat.yaml or deadheat.yml. */
  readonly file: string | null;
  readonly jobs: number;
  readonly format: MatrixFormat;
  /** What the parts have in common; `null` = a new one. */
  readonly experiment: string | null;
}

/** `deadheat ci matrix`. Returns the exit code. */
async function printMatrix({ file, jobs, format, experiment }: MatrixRequest, terminal: Terminal): Promise<ExitCode> {
  const searchPath = terminal.env['PATH'] ?? '';
  checkParts(readConfig(file, { cwd: process.cwd(), searchPath, defaultSeed: '' }), jobs);
  const id = experiment ?? randomBytes(8).toString('hex');
  const parts = Array.from({ length: jobs }, (_, index) => `${index + 1}/${jobs}`);
  const matrix =
    format === 'github'
      ? { include: parts.map((part, index) => ({ part, number: index + 1, experiment: id })) }
      : { parallel: { matrix: [{ DEADHEAT_PART: parts, DEADHEAT_EXPERIMENT: [id] }] } };
  terminal.stdout.write(`${JSON.stringify(matrix)}\n`);
  return exitCodes.done;
}
