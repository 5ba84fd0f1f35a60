import { UsageError } from 'deadheat/settings';
import type { RawRunOptions } from './raw-run-options.ts';

/** How a cluster is asked. */
export interface SlurmRequest {
  /** How many nodes, each of which makes a part. */
  readonly hosts: number;
  /** Options of `sbatch`. */
  readonly options: readonly string[];
}

/** What `deadheat run` is asked of a cluster; `null` = it is not to take part. */
export function toSlurmRequest({ engine, hosts, sbatch, part, showOutput, fleet }: RawRunOptions): SlurmRequest | null {
  if (engine !== 'slurm') {
    if (sbatch !== undefined) {
      throw new UsageError('CONFLICT', '--sbatch does nothing without --engine slurm', { hint: 'Leave it out.' });
    }
    if (hosts === undefined || fleet !== undefined) return null;
    throw new UsageError('CONFLICT', '--hosts does nothing on this machine alone', {
      hint: 'Say where the others are: --fleet URL, or --engine slurm.',
    });
  }
  if (hosts === undefined) {
    throw new UsageError('CONFLICT', '--engine slurm has to know how many nodes are to be used', {
      hint: 'Add --hosts 4, for instance.',
    });
  }
  const other = part !== undefined ? '--part' : showOutput === true ? '--show-output' : null;
  if (other === null) return { hosts, options: sbatch ?? [] };
  throw new UsageError('CONFLICT', `${other} does nothing with --engine slurm, which makes every part on a node`, {
    hint: 'Leave one of them out.',
  });
}
