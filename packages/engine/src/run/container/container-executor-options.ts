import type { WaitPolicy } from '@deadheat/sync';
import type { ContainerEngine } from './container-engine.ts';

export interface ContainerExecutorOptions {
  readonly engine: ContainerEngine;
  /** Id of the experiment, for the containers' label. */
  readonly experiment: string;
  /** What tells this process apart from all others, for the containers' label. */
  readonly owner: string;
  /** The recording's folder: `logs` and `results` are in it. */
  readonly folder: string;
  readonly output: 'null' | 'inherit';
  /** How the sides wait for each other: spinning needs a core each, all the time. */
  readonly wait: WaitPolicy;
}
