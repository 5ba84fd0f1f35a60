import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { methodFacts, sides, withoutSuite, type Benchmark, type Method, type Side } from '@deadheat/model';
import { makeTemporaryFolder, removeRegistered, sharedMemoryDirectory } from '@deadheat/sync';

/**
 * Folders of this machine that containers get to see. The programs in them may be any user, so the folders are open to
 * everybody; those around them are not, so that nobody else on this machine reaches them.
 */
export class RunFolders {
  readonly #stage: string;
  readonly #memory: string;

  constructor() {
    this.#stage = makeTemporaryFolder('');
    for (const side of sides) mkdirSync(this.temporary(side), { recursive: true });
    this.#memory = makeTemporaryFolder('', sharedMemoryDirectory() ?? this.#stage);
  }

  /** Every folder, for whoever is to remove them. */
  get roots(): readonly string[] {
    return [this.#stage, this.#memory];
  }

  /** Folder in memory that no container sees. */
  get memory(): string {
    return this.#memory;
  }

  /** Folder in memory for shared pages and barriers of programs. */
  get pages(): string {
    return join(this.#memory, 'shm');
  }

  /** Folder for temporary files of a side's hooks, which are executed on this machine. */
  temporary(side: Side): string {
    return join(this.#stage, 'tmp', side);
  }

  /** Folder, made by whoever uses it, for what is copied out of a side's container, which does not see it. */
  stage(side: Side): string {
    return join(this.#stage, `output-${side}`);
  }

  of(side: Side): string {
    return join(this.#stage, side);
  }

  /** Empty folders for a run. */
  renew(): void {
    for (const folder of [this.of('A'), this.of('B'), this.pages]) {
      rmSync(folder, { recursive: true, force: true });
      makeOpen(folder);
    }
  }

  remove(): void {
    for (const folder of this.roots) removeRegistered(folder);
  }
}

function makeOpen(folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, 0o777);
}

/** The run and the side that a kept file belongs to. */
interface KeptRun {
  readonly benchmark: Pick<Benchmark, 'name' | 'params' | 'containers'>;
  readonly method: Method;
  readonly run: number;
  readonly order: 'AB' | 'BA';
  readonly side: Side;
}

/**
 * Name of a file kept of a run, as duetbench names its results (`ResultFile` of the package `duet`, config.py):
 * `suite.benchmark.run.type.order.pair.file`, where the first two hold letters, digits, `_` and `-`. Values of parameters
 * follow the benchmark's name.
 */
export function resultFileName({ benchmark, method, run, order, side }: KeptRun, file: string): string {
  const { params, containers } = benchmark;
  const suite = containers?.suite ?? '';
  const called = [bareName(benchmark), ...Object.values(params)].map(sanitize).join('-');
  const { together, duetbench } = methodFacts[method];
  const started = together ? order : 'None';
  return `${sanitize(suite)}.${called}.${run}.${duetbench}.${started}.${side}.${file}`;
}

function bareName({ name, containers }: KeptRun['benchmark']): string {
  return withoutSuite(name, containers?.suite ?? '');
}

function sanitize(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_-]/g, '_') || '_';
}

/** Name of the barrier of a run, which stands for `$$`, as duetbench composes it. */
export function barrierName({ benchmark, method, run }: Pick<KeptRun, 'benchmark' | 'method' | 'run'>): string {
  return `${methodFacts[method].duetbench}.${sanitize(bareName(benchmark))}.${run}:barrier`;
}
