import { BenchmarkRunner, TestRunner } from 'vitest';
import { takingPart } from '../session.ts';
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

/** A task or a suite of vitest, as far as it says where a benchmark is. */
interface VitestTask {
  readonly type: string;
  readonly name: string;
  readonly mode: string;
  readonly meta?: { readonly benchmark?: boolean };
  readonly tasks?: readonly VitestTask[];
  readonly projectName?: string | undefined;
}

/**
 * Where the benchmarks of a file are. vitest makes its tasks of a name and a function alone; tasks that have both in common are made
 * in the order of the file, groups before the benchmarks beside them.
 */
class Places {
  readonly #fnOf: (task: VitestTask) => BenchFunction;
  readonly #params = new Map<BenchFunction, { readonly name: string; readonly params: Record<string, string> }[]>();

  constructor(fnOf: (task: VitestTask) => BenchFunction) {
    this.#fnOf = fnOf;
  }

  /** Takes in a file. */
  add(file: VitestTask): void {
    const { name, projectName = '' } = file;
    const inFile = { file: name, ...(projectName === '' ? {} : { project: projectName }) };
    this.#addSuite(file, { groups: [], inFile });
  }

  /** The parameters of the next benchmark with this name and function. */
  take(name: string, fn: BenchFunction): Readonly<Record<string, string>> {
    const due = this.#params.get(fn) ?? [];
    const at = due.findIndex((one) => one.name === name);
    return at === -1 ? {} : (due.splice(at, 1)[0]?.params ?? {});
  }

  #addSuite(
    { tasks = [] }: VitestTask,
    at: { readonly groups: readonly string[]; readonly inFile: Readonly<Record<string, string>> },
  ): void {
    const due = tasks.filter(({ mode }) => mode === 'run' || mode === 'queued');
    for (const task of due) {
      if (task.meta?.benchmark !== true && task.type === 'suite') {
        this.#addSuite(task, { ...at, groups: [...at.groups, task.name] });
      }
    }
    for (const task of due) {
      if (task.meta?.benchmark !== true) continue;
      const group = at.groups.join(' > ');
      const params = { ...at.inFile, ...(group === '' ? {} : { group }) };
      const fn = this.#fnOf(task);
      this.#params.set(fn, [...(this.#params.get(fn) ?? []), { name: task.name, params }]);
    }
  }
}
