import {
  type Method,
  type Settings,
  type Warning,
  type Workload,
  workloadFacts,
  methodFacts,
  defaultSettings,
  configOf,
  type Benchmark,
  type ExperimentConfig,
} from '@deadheat/model';

/** The abilities of a machine on which the choice of the method depends. */
export interface Abilities {
  readonly usableCpus: readonly number[];
  readonly sharedMemory: boolean;
  readonly nativeCalls: boolean;
}

/** Why a method cannot be offered. */
export interface MethodObstacle {
  readonly code: Extract<Warning['code'], 'NO_NATIVE_CALLS' | 'SINGLE_CORE' | 'NO_SHARED_MEMORY'>;
  /** The missing ability, a sentence. */
  readonly why: string;
  /** The advice, a sentence. */
  readonly advice: string;
}

/** The obstacle to running both sides at the same time, on one core or on two; `null` = none. */
function findTogetherObstacle({ nativeCalls, sharedMemory }: Abilities): MethodObstacle | null {
  if (!nativeCalls) {
    return {
      code: 'NO_NATIVE_CALLS',
      why: 'The C library cannot be called here (not Linux, or no koffi binary for this platform), so processes can be neither pinned nor timed from inside.',
      advice: 'Run on Linux, x64 or arm64, for a tandem or a duet.',
    };
  }
  if (!sharedMemory) {
    return {
      code: 'NO_SHARED_MEMORY',
      why: 'There is no writable /dev/shm for the barrier between the sides.',
      advice: 'Mount a tmpfs there (docker: --shm-size=64m), or name another folder in memory in DEADHEAT_SHM.',
    };
  }
  return null;
}

/** The obstacle to a method on this machine; `null` = none. */
export function findObstacle(method: Method, abilities: Abilities): MethodObstacle | null {
  const { together, cpus } = methodFacts[method];
  if (!together) return null;
  const obstacle = findTogetherObstacle(abilities);
  if (obstacle !== null || cpus !== 'one-each' || abilities.usableCpus.length > 1) return obstacle;
  return {
    code: 'SINGLE_CORE',
    why: `Only one CPU (${abilities.usableCpus.join(', ')}) may be used, and a duet needs a core for each side.`,
    advice: 'Give this process two CPUs: widen taskset, the container’s cpuset or the VM.',
  };
}

/** The settings that say how the sides are executed against each other. */
export interface MethodChoice extends Pick<Settings, 'method' | 'pilotRuns'> {
  /** Filling needs a core for each side; absent = none was asked for. */
  readonly fill?: boolean;
}

/**
 * The wanted method where this machine can offer it; else another one, with the reason as a warning. Of a `sync-duet` on a
 * single CPU remains what `auto` chooses there: a tandem, or for programs that wait the sides one after the other. Else
 * `sequential` remains.
 */
export function chooseMethod(
  wanted: MethodChoice,
  abilities: Abilities,
  workload: Workload = 'command',
): { readonly choice: MethodChoice; readonly warnings: readonly Warning[] } {
  const obstacle = findObstacle(wanted.method, abilities);
  if (obstacle === null) return { choice: wanted, warnings: [] };
  const { code, why, advice } = obstacle;
  const { method } = wanted;
  const unfilled: Pick<MethodChoice, 'fill'> = wanted.fill === true ? { fill: false } : {};
  const without = wanted.fill === true ? ' The side that is done first does not go on (fill).' : '';
  if (code === 'SINGLE_CORE' && methodFacts[method].barrier && workloadFacts[workload].method === 'auto') {
    const { method: begins, pilotRuns } = defaultSettings('auto', workload);
    const instead = `Instead of ${method}, both sides share that CPU at the same time (tandem) where they keep it busy; else they are run one after the other.`;
    return {
      choice: { method: begins, pilotRuns, ...unfilled },
      warnings: [{ code, message: `${why} ${instead}${without} ${advice}` }],
    };
  }
  const instead = `Instead of ${method}, A and B are run one after the other in random order (sequential); expect wider intervals.`;
  return {
    choice: { method: 'sequential', pilotRuns: 0, ...unfilled },
    warnings: [{ code, message: `${why} ${instead}${without} ${advice}` }],
  };
}

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
