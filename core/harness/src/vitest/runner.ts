import { BenchmarkRunner, TestRunner } from 'vitest';
import { takingPart } from '../session.ts';
import { Places } from './places.ts';
import { Bench, Task, type BenchFunction } from './tinybench.ts';

type Suite = Parameters<InstanceType<typeof BenchmarkRunner>['runSuite']>[0];
type BenchTask = Parameters<typeof TestRunner.getBenchFn>[0];
type Tinybench = Awaited<ReturnType<InstanceType<typeof BenchmarkRunner>['importTinybench']>>;

/**
 * vitest's runner of benchmarks. In an experiment it gives vitest tasks that take part in it, called by their names, with the groups
 * of `describe` and the file as parameters; otherwise it is vitest's own.
 */
// oxlint-disable-next-line no-default-export -- vitest loads a runner by it.
export default class DeadheatRunner extends BenchmarkRunner {
  readonly #places = new Places((task) => TestRunner.getBenchFn(task as BenchTask) as unknown as BenchFunction);

  override async importTinybench(): Promise<Tinybench> {
    if (!takingPart()) return super.importTinybench();
    const places = this.#places;

    class PlacedTask extends Task {
      constructor(bench: Bench, name: string, fn: BenchFunction) {
        super(bench, { name, fn, params: places.take(name, fn) });
      }
    }

    return { Bench, Task: PlacedTask } as unknown as Tinybench;
  }

  override async runSuite(suite: Suite): Promise<void> {
    if (takingPart()) this.#places.add(suite);
    await super.runSuite(suite);
  }
}
