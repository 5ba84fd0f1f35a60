import type { ExperimentDraft } from '@deadheat/engine';
import {
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Benchmark,
  type Method,
  type Settings,
} from '@deadheat/model';
import { ownSettings } from 'deadheat/internals';
import { neighbourParameter, type Neighbour } from './neighbour.ts';
import type { SizedWorkload, StudyRequest } from './study-request.ts';
import { workloadSide } from '../../artificial/workload-side.ts';

/**
 * The experiment of a study beside one neighbour: each workload against itself by each method, all runs interleaved. The
 * recording carries the neighbour as a parameter of its benchmarks.
 *
 * @throws what `workloadCommand` throws; RangeError for a request without methods
 */
export function studyDraft(
  request: StudyRequest,
  { neighbour, sized }: { readonly neighbour: Neighbour; readonly sized: readonly SizedWorkload[] },
): ExperimentDraft {
  const { kind, methods, seed } = request;
  const [first] = methods;
  if (first === undefined) throw new RangeError('a study needs a method');
  const common = settingsOf(first, request);
  return {
    ...common,
    ...experimentDefaults,
    name: `study-${kind}-${neighbour}`,
    benchmarks: sized.flatMap((one): readonly Benchmark[] => {
      const command = workloadSide(one, request);
      return methods.map((method) => ({
        ...benchmarkDefaults,
        name: one.workload,
        params: { [neighbourParameter]: neighbour },
        commands: { A: command, B: command },
        workload: 'harness',
        own: ownSettings(settingsOf(method, request), common),
      }));
    }),
    cpus: null,
    seed,
  };
}

function settingsOf(method: Method, { runs, iterations }: StudyRequest): Settings {
  return { ...defaultSettings(method, 'harness'), stop: { kind: 'runs', runs }, maxTimeNs: null, iterations };
}
