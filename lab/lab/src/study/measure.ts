import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ExperimentDraft,
  fitExperiment,
  type MethodObstacle,
  obstacleHere,
  type Outcome,
  startExperiment,
} from '@deadheat/engine';
import {
  type Benchmark,
  benchmarkDefaults,
  DeadheatError,
  defaultSettings,
  methodFacts,
  type EngineEvent,
  experimentDefaults,
  type Method,
  type Settings,
} from '@deadheat/model';
import { type LoadOptions, startLoad } from '@deadheat/workloads';
import { type SizedWorkload, sizeWorkloads, workloadSide } from 'deadheat/doctor';
import { tool } from '@deadheat/recording';
import { ownSettings } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { ratioParameter } from './ratio-study.ts';
import {
  expectedStudyTime,
  type Neighbour,
  neighbourLoad,
  neighbourParameter,
  offeredMethods,
  type StudyRequest,
  workOfB,
} from './request.ts';

/** What a study does next. */
export type StudyStep =
  /** The machine does not offer all methods of the study; these are left. */
  | { readonly kind: 'methods-missing'; readonly methods: readonly Method[]; readonly obstacle: MethodObstacle }
  | { readonly kind: 'calibrating' }
  | {
      readonly kind: 'measuring';
      /** By the methods that are there. */
      readonly request: StudyRequest;
      /** CPUs of sides A and B. */
      readonly cpus: readonly [number, number];
      /** About how long all takes, ns. */
      readonly expectedNs: number;
    }
  /** One experiment begins: that beside this neighbour, the `place`-th from 0. */
  | { readonly kind: 'neighbour'; readonly neighbour: Neighbour; readonly place: number };

export interface MeasureStudyOptions {
  /** Folder of the recordings, one for each neighbour; `null` = new ones in `.deadheat`. */
  readonly output: string | null;
  readonly signal: AbortSignal;
  readonly onStep: (step: StudyStep) => void;
  readonly onEvent: (event: EngineEvent) => void;
  /** Hears the folder of every recording as soon as it holds a run. */
  readonly onRecording: (directory: string) => void;
}

/**
 * Measures artificial workloads: one experiment beside each neighbour. The first that does not come to its end
 * is the last.
 *
 * @returns how the last experiment ended
 * @throws UsageError for a folder that holds something; DeadheatError `ENVIRONMENT_REFUSED` where this machine offers no method of
 *   the study; else as `sizeWorkloads`, `startLoad` and `startExperiment`
 */
export async function measureStudy(wanted: StudyRequest, options: MeasureStudyOptions): Promise<Outcome> {
  const { output, signal, onStep } = options;
  const folderOf = (neighbour: Neighbour): string | null => (output === null ? null : join(output, neighbour));
  for (const neighbour of wanted.neighbours) refuseOccupied(folderOf(neighbour));
  const request = fitMethods(wanted, onStep);
  onStep({ kind: 'calibrating' });
  const sized = await sizeWorkloads(request, signal);
  if (sized === null) return { kind: 'interrupted' };
  let cpus: readonly [number, number] | null = null;
  for (const [place, neighbour] of request.neighbours.entries()) {
    const draft = studyDraft(request, { neighbour, sized });
    if (cpus === null) {
      ({ cpus } = (await fitExperiment({ ...draft, lanes: 1 })).config);
      onStep({ kind: 'measuring', request, cpus, expectedNs: expectedStudyTime(request, sized) });
    }
    onStep({ kind: 'neighbour', neighbour, place });
    const load = neighbourLoad(neighbour, { ...request, cpus });
    // Every method on the cores that the neighbour is on.
    const experiment = { draft: { ...draft, cpus: [...new Set(cpus)] }, directory: folderOf(neighbour) };
    const outcome = await besideLoad(load, {
      signal,
      work: (ending) => measureOne(experiment, { ...options, signal: ending }),
    });
    if (outcome.kind !== 'done') return outcome;
  }
  return { kind: 'done' };
}

async function measureOne(
  experiment: { readonly draft: ExperimentDraft; readonly directory: string | null },
  { signal, onEvent, onRecording }: MeasureStudyOptions,
): Promise<Outcome> {
  if (signal.aborted) return { kind: 'interrupted' };
  let unheard: string | null = null;
  const { outcome } = await startExperiment({
    ...experiment,
    signal,
    onEvent: (event) => {
      if (event.kind === 'experiment-started') unheard = event.directory;
      if (event.kind === 'trial-finished' && unheard !== null) {
        onRecording(unheard);
        unheard = null;
      }
      onEvent(event);
    },
    parent: '.deadheat',
    tool,
  });
  return outcome;
}

/** The request by the methods that this machine offers. */
function fitMethods(request: StudyRequest, onStep: MeasureStudyOptions['onStep']): StudyRequest {
  const obstacle = obstacleHere('sync-duet');
  if (obstacle === null) return request;
  const methods = offeredMethods(request.kind, (method) => obstacleHere(method) === null);
  if (methods.length === 0) {
    const { why, advice } = obstacle;
    throw new DeadheatError('ENVIRONMENT_REFUSED', `the study ${request.kind} is about duets. ${why} ${advice}`);
  }
  onStep({ kind: 'methods-missing', methods, obstacle });
  return { ...request, methods };
}

/** Refuses a folder that holds something, before anything is measured. */
function refuseOccupied(folder: string | null): void {
  if (folder === null || contentOf(folder).length === 0) return;
  throw new UsageError('BAD_VALUE', `--output: ${folder} is not empty`, { hint: 'Give a new or empty folder.' });
}

function contentOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // What else may be wrong with it is said when the recording is made.
    return [];
  }
}

/**
 * The experiment of a study beside one neighbour: each workload against itself, or so many times as much of it, by each method, all
 * runs interleaved. The recording carries the neighbour, and that number, as parameters of its benchmarks.
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
      const ratio = workOfB(request);
      const A = workloadSide(one, request);
      const B = workloadSide({ ...one, amount: Math.round(one.amount * ratio) }, request);
      return methods.map((method) => ({
        ...benchmarkDefaults,
        name: one.workload,
        params: { [neighbourParameter]: neighbour, ...(kind === 'ratio' ? { [ratioParameter]: String(ratio) } : {}) },
        commands: { A, B },
        workload: 'harness',
        own: ownSettings(settingsOf(method, request), common),
      }));
    }),
    cpus: null,
    seed,
  };
}

function settingsOf(method: Method, { runs, iterations, swap, confidence }: StudyRequest): Settings {
  return {
    ...defaultSettings(method, 'harness'),
    stop: { kind: 'runs', runs },
    maxTimeNs: null,
    iterations,
    ...(swap === undefined || methodFacts[method].cpus !== 'one-each' ? {} : { swap }),
    ...(confidence === undefined ? {} : { confidence }),
  };
}

/**
 * Does work beside a load, which is there from before the work begins until it is over, however it ends. Should the load
 * end before, the work is told to stop, and its result is not given out.
 *
 * @param load `null` = none
 * @throws WorkloadError as `startLoad`, and `LOAD_LOST` when the load ended by itself; else what the work throws
 */
async function besideLoad<Result>(
  load: LoadOptions | null,
  { signal, work }: { readonly signal: AbortSignal; readonly work: (signal: AbortSignal) => Promise<Result> },
): Promise<Result> {
  if (load === null) return work(signal);
  const running = await startLoad(load);
  const ending = new AbortController();
  const end = (): void => ending.abort();
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  let failure: unknown = null;
  running.ended.catch((error: unknown) => {
    failure = error;
    end();
  });
  try {
    const result = await work(ending.signal);
    // A key that ends this process ends the load, too; that is no failure of it.
    if (failure !== null && !signal.aborted) throw failure;
    return result;
  } finally {
    signal.removeEventListener('abort', end);
    await running.stop();
  }
}
