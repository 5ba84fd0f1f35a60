import type { ExperimentDraft } from '@deadheat/engine';
import {
  type Benchmark,
  benchmarkDefaults,
  type Command,
  defaultSettings,
  experimentDefaults,
  type Method,
  methodFacts,
  type Settings,
} from '@deadheat/model';
import type { WorkloadName } from '@deadheat/workloads';
import { ownSettings } from '../config/to-benchmarks.ts';
import { type SizedWorkload, timesOf, workloadSide } from './artificial-workloads.ts';

/** Request for an examination by `deadheat doctor`. */
export interface DoctorRequest {
  readonly workloads: readonly WorkloadName[];
  /** Runs of every workload by every method; `null` = as many as fit into the time. */
  readonly runs: number | null;
  /** For everything, ns. */
  readonly maxTimeNs: number;
  /** CPUs that the user asked for; `null` = choose. */
  readonly cpus: readonly number[] | null;
  readonly seed: string;
  /** Folder that keeps the recording; `null` = it is not kept. */
  readonly output: string | null;
}

export const doctorMethods: readonly Method[] = ['tandem', 'sync-duet', 'async-duet', 'sequential'];

/** Iterations of a side in a run, of which the first half is warm-up, and what each is calibrated for. */
export const doctorIterations = { count: 20, durationNs: 10e6 } as const;

/** Where the user does not say; one workload needs nothing but the core, the other the memory that all cores share. */
export const doctorDefaults: Pick<DoctorRequest, 'workloads' | 'maxTimeNs'> = {
  workloads: ['integer', 'memory'],
  maxTimeNs: 60e9,
};

/** With `--quick`: `memory` takes long to begin. */
export const quickDoctor: Pick<DoctorRequest, 'workloads' | 'maxTimeNs'> = { workloads: ['integer'], maxTimeNs: 20e9 };

/** All methods are judged alike here. */
export const doctorConfidence = 0.95;

/** Fewer runs show neither a spread nor what it goes along with. */
const leastDoctorRuns = 6;
/** More bring little. */
const mostRuns = 30;
/** Start and end of a process beside its own start, and what is written of it, ns. */
const overheadNs = 50e6;
/** Part of the time that the runs may be expected to take: neighbours slow them. */
const planned = 0.75;

/** Amount of measuring. */
export interface FittedRuns {
  readonly runs: number;
  /** True if runs with a fixed memory layout fit in as well. */
  readonly fixedLayout: boolean;
  /** About how long the runs take on a machine at rest, ns. */
  readonly expectedNs: number;
}

/**
 * Number of runs that fit into the time, from 6 to 30; with too little time for 6 the runs with a fixed layout are left out.
 *
 * @param wanted runs that the user asked for; they count whatever time they take.
 */
export function fitRuns({
  sized,
  methods,
  canFixLayout,
  budgetNs,
  wanted,
}: {
  readonly sized: readonly Pick<SizedWorkload, 'startNs'>[];
  readonly methods: readonly Method[];
  readonly canFixLayout: boolean;
  readonly budgetNs: number;
  readonly wanted: number | null;
}): FittedRuns {
  const { count, durationNs } = doctorIterations;
  const processesNs = sized.reduce((sum, { startNs }) => sum + startNs + count * durationNs + overheadNs, 0);
  const roundNs = (fixedLayout: boolean): number =>
    processesNs * (methods.reduce((sum, method) => sum + timesOf(method), 0) + (fixedLayout ? 2 : 0));
  const fitting = (fixedLayout: boolean): number => Math.floor((budgetNs * planned) / roundNs(fixedLayout));
  const fixedLayout = canFixLayout && (wanted !== null || fitting(true) >= leastDoctorRuns);
  const runs = wanted ?? Math.min(mostRuns, Math.max(leastDoctorRuns, fitting(fixedLayout)));
  return { runs, fixedLayout, expectedNs: runs * roundNs(fixedLayout) };
}

/** The parameter of the benchmarks whose processes all get the same layout of their memory. */
const layoutParameter = 'aslr';

/** True if a benchmark of the doctor fixes the layout of memory. */
export function hasFixedLayout({ params }: Pick<Benchmark, 'params'>): boolean {
  return params[layoutParameter] === 'off';
}

/**
 * The experiment of the doctor: each workload against itself by each method, and where `fixLayout` is given one after the other
 * with a fixed layout of memory, too; all runs interleaved, so that all meet the same disturbances.
 *
 * @throws what `workloadCommand` throws
 */
export function doctorDraft(
  request: Pick<DoctorRequest, 'cpus' | 'seed'>,
  {
    sized,
    methods,
    runs,
    limitNs,
    fixLayout,
  }: {
    readonly sized: readonly SizedWorkload[];
    readonly methods: readonly Method[];
    readonly runs: number;
    /** After so much time no run is begun, ns. */
    readonly limitNs: number | null;
    /** Program and arguments that start a command with a fixed layout; `null` = there is no such program. */
    readonly fixLayout: readonly string[] | null;
  },
): ExperimentDraft {
  const common = settingsOf('sequential', runs);
  return {
    ...common,
    ...experimentDefaults,
    experimentTimeoutNs: limitNs,
    name: 'doctor',
    benchmarks: sized.flatMap((one): readonly Benchmark[] => {
      const side = workloadSide(one, { language: 'js', iterations: doctorIterations.count });
      const entry = (
        command: Command,
        { params, method }: Pick<Benchmark, 'params'> & { method: Method },
      ): Benchmark => ({
        ...benchmarkDefaults,
        name: one.workload,
        params,
        commands: { A: command, B: command },
        workload: 'harness',
        own: ownSettings(settingsOf(method, runs), common),
      });
      const fixed =
        fixLayout === null
          ? []
          : [
              entry(
                { ...side, argv: [...fixLayout, ...side.argv] },
                { params: { [layoutParameter]: 'off' }, method: 'sequential' },
              ),
            ];
      return [...methods.map((method) => entry(side, { params: {}, method })), ...fixed];
    }),
    cpus: request.cpus,
    // Counters of a run are read after it: another one must not be in flight.
    lanes: 1,
    seed: request.seed,
  };
}

function settingsOf(method: Method, runs: number): Settings {
  return {
    ...defaultSettings(method, 'harness'),
    stop: { kind: 'runs', runs },
    maxTimeNs: null,
    // A machine so slow that the time ends the runs still gets its figures.
    leastRuns: 2,
    confidence: doctorConfidence,
    metric: methodFacts[method].cpus === 'one-shared' ? 'cpu' : 'time',
    iterations: doctorIterations.count,
  };
}
