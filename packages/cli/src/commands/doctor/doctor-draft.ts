import type { ExperimentDraft } from '@deadheat/engine';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  methodFacts,
  type Benchmark,
  type Command,
  type Method,
  type Settings,
} from '@deadheat/model';
import { ownSettings } from 'deadheat/internals';
import type { SizedWorkload } from '../study/study-request.ts';
import { workloadSide } from '../../artificial/workload-side.ts';
import { doctorConfidence, doctorIterations, type DoctorRequest } from './doctor-request.ts';

/** The parameter of the benchmarks whose processes all get the same layout of their memory. */
const layoutParameter = 'aslr';

/** Whether the layout of memory is fixed in a benchmark of the doctor. */
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
    // What is counted in a run is read after it: another one must not be in flight.
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
