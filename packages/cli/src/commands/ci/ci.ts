import { randomBytes } from 'node:crypto';
import { checkParts } from '@deadheat/engine';
import { readConfig } from 'deadheat/internals';
import { exitCodes, type ExitCode } from '../../errors/exit-codes.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export type MatrixFormat = 'github' | 'gitlab';

export interface MatrixRequest {
  /** `null` = deadheat.yaml or deadheat.yml. */
  readonly file: string | null;
  readonly jobs: number;
  readonly format: MatrixFormat;
  /** What the parts have in common; `null` = a new one. */
  readonly experiment: string | null;
}

/** `deadheat ci matrix`. Returns the exit code. */
export async function printMatrix(
  { file, jobs, format, experiment }: MatrixRequest,
  terminal: Terminal,
): Promise<ExitCode> {
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
