import type { ExperimentDraft } from '@deadheat/engine';
import type { Benchmark } from '@deadheat/model';
import { UsageError } from '../errors/usage-error.ts';

/**
 * The experiment with a control beside each benchmark: A against itself, by the same settings, its runs among the others.
 * A command that is compared with itself anyway needs none.
 *
 * @throws UsageError where both sides of a control would write the same file
 */
export function withControls(draft: ExperimentDraft): ExperimentDraft {
  return {
    ...draft,
    benchmarks: draft.benchmarks.flatMap((one) => (isOwnControl(one) ? [one] : [one, controlOf(one)])),
  };
}

function isOwnControl({ commands, hooks, environment, workingDirectory, scratch, containers }: Benchmark): boolean {
  return [commands, hooks, environment, workingDirectory, scratch, containers ?? { A: null, B: null }].every(
    ({ A, B }) => JSON.stringify(A) === JSON.stringify(B),
  );
}

function controlOf(benchmark: Benchmark): Benchmark {
  const { name, commands, hooks, results, environment, workingDirectory, scratch, containers } = benchmark;
  if (results.A !== null && !results.A.includes('$DEADHEAT_SIDE')) {
    throw new UsageError('CONFLICT', `both sides of the control of ${name} would write ${results.A}`, {
      hint: 'Put $DEADHEAT_SIDE into results and into the command of A, or do without a control.',
    });
  }
  const twice = <Value>({ A }: { readonly A: Value }): { A: Value; B: Value } => ({ A, B: A });
  return {
    ...benchmark,
    name: `${name} (A/A control)`,
    controlOf: name,
    waiver: null,
    commands: twice(commands),
    hooks: twice(hooks),
    results: twice(results),
    environment: twice(environment),
    workingDirectory: twice(workingDirectory),
    scratch: twice(scratch),
    containers: containers === null ? null : { ...containers, B: containers.A },
  };
}
