import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ExperimentDraft,
  fitExperiment,
  type MeasuredRecording,
  measureRecorded,
  obstacleHere,
  type Outcome,
  startExperiment,
} from '@deadheat/engine';
import {
  type Benchmark,
  benchmarkDefaults,
  defaultSettings,
  experimentDefaults,
  type Method,
  quoteWord,
  type Settings,
} from '@deadheat/model';
import { type LoadOptions, startLoad } from '@deadheat/workloads';
import { ownSettings } from 'deadheat/internals';
import { UsageError } from 'deadheat/settings';
import { type SizedWorkload, sizeWorkloads, workloadSide } from '../../artificial/workloads.ts';
import { EnvironmentError } from '../../errors/environment-error.ts';
import { type ExitCode, exitCodes } from '../../errors/exit-codes.ts';
import { withInterruption } from '../../terminal/interruption.ts';
import { checkExports } from '../../terminal/output.ts';
import { createProgressReporter } from '../../terminal/progress.ts';
import { resolveTerminalStyle } from '../../terminal/style.ts';
import { tool } from '../../version.ts';
import {
  expectedStudyTime,
  type Neighbour,
  neighbourLoad,
  neighbourParameter,
  offeredMethods,
  renderStudyRequest,
  type StudyRequest,
  type StudyRunChoices,
} from './request.ts';
import { printStudy, type StudyPlan } from './tables.ts';

/** What is done to the study's progress and to its tables. */
type Showing = Omit<StudyPlan, 'seed'>;

/** `deadheat study KIND --run`: measures, keeps the recordings, then makes the tables of them. Returns the exit code. */
export async function runStudy({ request: wanted, output }: StudyRunChoices, showing: Showing): Promise<ExitCode> {
  const { choices, terminal } = showing;
  checkExports(choices.exports);
  for (const neighbour of wanted.neighbours) refuseOccupied(folderOf(output, neighbour));
  const quiet = choices.style === 'none';
  const say = (text: string): void => {
    if (!quiet) terminal.stderr.write(text);
  };
  const request = fitMethods(wanted, say);
  const kept: string[] = [];
  let outcome: Outcome;
  try {
    outcome = await withInterruption((signal) => measureAll({ request, output }, { showing, signal, kept, say }));
  } catch (error) {
    tellKept(request, { kept, say });
    throw error;
  }
  if (outcome.kind === 'done') {
    say('deadheat: making the tables\n');
    const recordings: MeasuredRecording[] = [];
    for (const path of kept) recordings.push(await measureRecorded(path));
    const exitCode = printStudy(request.kind, recordings, { ...showing, seed: request.seed });
    tellKept(request, { kept, say });
    return exitCode;
  }
  const failures = outcome.kind === 'failed' ? outcome.failures.map(({ message }) => message) : ['interrupted'];
  for (const message of failures) terminal.stderr.write(`deadheat: ${message}\n`);
  tellKept(request, { kept, say });
  return outcome.kind === 'failed' ? exitCodes.workload : exitCodes.interrupted;
}

interface Measuring {
  readonly showing: Showing;
  readonly signal: AbortSignal;
  /** Gets the folder of every recording that holds a run. */
  readonly kept: string[];
  readonly say: (text: string) => void;
}

/** One experiment beside each neighbour; the first that does not come to its end is the last. */
async function measureAll({ request, output }: StudyRunChoices, measuring: Measuring): Promise<Outcome> {
  const { signal, say } = measuring;
  const { neighbours } = request;
  say(`deadheat: calibrating ${request.workloads.join(', ')}\n`);
  const sized = await sizeWorkloads(request, signal);
  if (sized === null) return { kind: 'interrupted' };
  const drafts = neighbours.map((neighbour) => ({ neighbour, draft: studyDraft(request, { neighbour, sized }) }));
  let cpus: readonly [number, number] | null = null;
  for (const [place, { neighbour, draft }] of drafts.entries()) {
    if (cpus === null) {
      ({ cpus } = (await fitExperiment(draft)).config);
      const expectedNs = expectedStudyTime(request, sized);
      say(`deadheat: ${renderStudyRequest(request, { cpus, expectedNs })}`);
    }
    say(`deadheat: neighbour ${neighbour}, ${place + 1} of ${neighbours.length}\n`);
    const load = neighbourLoad(neighbour, { ...request, cpus });
    const outcome = await besideLoad(load, {
      signal,
      // Every method on the cores that the neighbour is on.
      work: (ending) =>
        measureOne(
          { ...draft, cpus: [...new Set(cpus)] },
          { ...measuring, signal: ending, directory: folderOf(output, neighbour) },
        ),
    });
    if (outcome.kind !== 'done') return outcome;
  }
  return { kind: 'done' };
}

async function measureOne(
  draft: ExperimentDraft,
  { showing: { choices, terminal }, signal, kept, directory }: Measuring & { readonly directory: string | null },
): Promise<Outcome> {
  if (signal.aborted) return { kind: 'interrupted' };
  const progress = createProgressReporter({
    stream: terminal.stderr,
    style: resolveTerminalStyle(choices.style, { stream: terminal.stderr, variables: terminal.env }),
    now: () => performance.now(),
  });
  let recording: string | null = null;
  try {
    const { outcome } = await startExperiment({
      signal,
      onEvent: (event) => {
        if (event.kind === 'experiment-started') recording = event.directory;
        if (event.kind === 'trial-finished' && recording !== null && !kept.includes(recording)) kept.push(recording);
        progress.handle(event);
      },
      draft,
      directory,
      parent: '.deadheat',
      tool,
    });
    return outcome;
  } finally {
    progress.close();
  }
}

/**
 * The request by the methods that this machine offers; says what it has to do without.
 *
 * @throws EnvironmentError when nothing would be left of the study
 */
function fitMethods(request: StudyRequest, say: (text: string) => void): StudyRequest {
  const obstacle = obstacleHere('sync-duet');
  if (obstacle === null) return request;
  const { why, advice } = obstacle;
  const methods = offeredMethods(request.kind, (method) => obstacleHere(method) === null);
  if (methods.length === 0) {
    throw new EnvironmentError(`the study ${request.kind} is about duets. ${why} ${advice}`);
  }
  say(`deadheat: by ${methods.join(', ')} only: ${why} ${advice}\n`);
  return { ...request, methods };
}

function folderOf(output: string | null, neighbour: Neighbour): string | null {
  return output === null ? null : join(output, neighbour);
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

function tellKept(
  { kind }: StudyRequest,
  { kept, say }: { readonly kept: readonly string[]; readonly say: (text: string) => void },
): void {
  if (kept.length === 0) return;
  const words = ['deadheat', 'study', kind, ...kept].map((word) => quoteWord(word));
  say(`deadheat: recorded; these tables again, or of what there is:\n  ${words.join(' ')}\n`);
}

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
