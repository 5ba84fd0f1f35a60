import { configOf, type Benchmark, type ExperimentConfig } from '@deadheat/model';

/**
 * The leader of each entry: the entry whose pilot runs choose its method. Among entries with the same programs, such as long and
 * short runs of one, it is the entry with the fewest iterations; for a control it is the controlled entry, because both must be
 * measured alike; else the entry itself.
 */
export function pilotLeaders(config: ExperimentConfig): readonly number[] {
  const entries = config.benchmarks.map((benchmark, index) => {
    const { iterations, ...settings } = configOf(config, { own: benchmark.own });
    return { index, benchmark, iterations: iterations ?? Infinity, programs: programsOf(benchmark, settings) };
  });
  function leaderOf(of: (typeof entries)[number]): number {
    return entries
      .filter(({ programs }) => programs === of.programs)
      .reduce((best, other) => (other.iterations < best.iterations ? other : best)).index;
  }
  return entries.map((entry) =>
    leaderOf(entries.find(({ benchmark }) => isBeside(entry.benchmark, benchmark)) ?? entry),
  );
}

/** The properties that entries with one method have in common: all but the number of runs and iterations, name and parameters. */
function programsOf(
  { name: _name, params: _params, own: _own, chosen: _chosen, waiver: _waiver, controlOf: _of, ...programs }: Benchmark,
  { method, pilotRuns, metric }: Pick<ExperimentConfig, 'method' | 'pilotRuns' | 'metric'>,
): string {
  return canonicalJson({ ...programs, method, pilotRuns, metric });
}

function isBeside(control: Benchmark, { name, params, controlOf }: Benchmark): boolean {
  return control.controlOf === name && controlOf === null && canonicalJson(control.params) === canonicalJson(params);
}

/** A value as JSON text that does not depend on the order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, held: unknown) =>
    typeof held === 'object' && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  );
}
