import type { Part } from '@deadheat/engine';
import type { ContainerEngineName, Method } from '@deadheat/model';
import type { RawOutputOptions } from '../../arguments/raw-options.ts';
import type { Label } from '../../arguments/values/parse-label.ts';

/** Options of `deadheat run` as commander hands them over. */
export interface RawRunOptions extends RawOutputOptions {
  readonly filter?: readonly string[];
  readonly method?: readonly Method[];
  readonly dryRun?: true;
  readonly output?: string;
  readonly resume?: string;
  readonly seed?: string;
  readonly maxTime?: number;
  readonly engine?: ContainerEngineName | 'slurm';
  readonly sbatch?: readonly string[];
  readonly showOutput?: true;
  readonly control?: true;
  readonly part?: Part;
  readonly experimentId?: string;
  readonly hostName?: string;
  readonly fleet?: string;
  readonly hosts?: number;
  readonly confirm?: number;
  readonly label?: readonly Label[];
  readonly code?: string;
  readonly repository?: string;
}
