import type { Benchmark, Method, Side } from '@deadheat/model';
import { withoutSuite } from './without-suite.ts';

/** What a file kept of a run is about. */
export interface KeptRun {
  readonly benchmark: Pick<Benchmark, 'name' | 'params' | 'containers'>;
  readonly method: Method;
  readonly run: number;
  readonly order: 'AB' | 'BA';
  readonly side: Side;
}

const types: Readonly<Record<Method, string>> = {
  tandem: 'tandem',
  'async-duet': 'duet',
  'sync-duet': 'syncduet',
  sequential: 'seqn',
};

/**
 * Name of a file kept of a run, as duetbench names its results (`ResultFile` of the package `duet`, config.py):
 * `suite.benchmark.run.type.order.pair.file`, where the first two hold letters, digits, `_` and `-`. Values of parameters
 * follow the benchmark's name.
 */
export function resultFileName({ benchmark, method, run, order, side }: KeptRun, file: string): string {
  const { params, containers } = benchmark;
  const suite = containers?.suite ?? '';
  const called = [bareName(benchmark), ...Object.values(params)].map(sanitize).join('-');
  const started = method === 'sequential' ? 'None' : order;
  return `${sanitize(suite)}.${called}.${run}.${types[method]}.${started}.${side}.${file}`;
}

function bareName({ name, containers }: KeptRun['benchmark']): string {
  return withoutSuite(name, containers?.suite ?? '');
}

function sanitize(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, '_') || '_';
}

/** Name of the barrier of a run, which stands for `$$`, as duetbench composes it. */
export function barrierName({ benchmark, method, run }: Pick<KeptRun, 'benchmark' | 'method' | 'run'>): string {
  return `${types[method]}.${sanitize(bareName(benchmark))}.${run}:barrier`;
}
