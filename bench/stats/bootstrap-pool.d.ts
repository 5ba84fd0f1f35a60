import type { FlatSample } from '@deadheat/stats';

/** What every worker gets; the seed stands for the stream. */
export interface PoolOptions {
  readonly sample: FlatSample;
  readonly seed: number | string;
  readonly replicates: number;
  readonly levels?: number;
  readonly weights?: 'equal' | 'pooled';
}

/** Worker threads that share a hierarchical bootstrap. */
export class BootstrapPool {
  constructor(size: number);
  replicates(options: PoolOptions): Promise<Float64Array>;
  close(): Promise<void>;
}
