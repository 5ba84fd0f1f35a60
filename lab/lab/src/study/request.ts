import type { Method, Swap } from '@deadheat/model';
import { countOf, formatStretch, printable } from '@deadheat/report';
import type { Language, LoadOptions, WorkloadName } from '@deadheat/workloads';
import { type SizedWorkload, timesOf } from 'deadheat/doctor';
import type { StudyKind } from './study.ts';

/** What a study is to measure: artificial workloads against themselves, or against more of the same work. */
export interface StudyRequest {
  readonly kind: StudyKind;
  readonly methods: readonly Method[];
  readonly neighbours: readonly Neighbour[];
  readonly workloads: readonly WorkloadName[];
  readonly language: Language;
  /** Runs of each workload by each method beside each neighbour. */
  readonly runs: number;
  /** Iterations of a side in a run; the first half is warm-up. */
  readonly iterations: number;
  /** What an iteration is calibrated for, ns. */
  readonly durationNs: number;
  /** When sides on two cores trade them; absent = as usual for the method. */
  readonly swap?: Swap;
  /** Level of the intervals that the recordings are kept with; absent = as usual for the method. */
  readonly confidence?: number;
  /** Of the study of ratios: how many times as much work B does as A; absent = 2. */
  readonly ratio?: number;
  readonly seed: string;
}

/** The methods whose runs fill the tables of a study. */
export const studyMethods: Readonly<Record<StudyKind, readonly Method[]>> = {
  accuracy: ['tandem', 'sync-duet', 'sequential'],
  overlap: ['async-duet', 'sync-duet', 'sequential'],
  mds: ['sync-duet', 'async-duet', 'sequential'],
  asymmetry: ['sync-duet', 'sequential'],
  ratio: ['sync-duet', 'sequential'],
};

/** How many times as much work B does as A. */
export function workOfB({ kind, ratio = 2 }: Pick<StudyRequest, 'kind' | 'ratio'>): number {
  return kind === 'ratio' ? ratio : 1;
}

/** Of a study's methods those that a machine can offer; empty where nothing would be left to tell. */
export function offeredMethods(kind: StudyKind, isOffered: (method: Method) => boolean): readonly Method[] {
  const offered = studyMethods[kind].filter((method) => isOffered(method));
  return kind === 'overlap' && !offered.includes('async-duet') ? [] : offered;
}

/** `none`: nobody; `both`: bursts on the cores of both sides at the same moments; `one`: on one of the two cores. */
export const neighbours = ['none', 'both', 'one'] as const;
export type Neighbour = (typeof neighbours)[number];

/** The parameter of a benchmark that says beside which neighbour it was measured. */
export const neighbourParameter = 'neighbour';

/** Mean length of a burst and of a pause, ns: as `deadheat lab workload load` has them. */
const meanNs = 200e6;
/** A burst leaves the measured program half of a core, and half of the time is bursts. */
const loadedSpeed = 0.75;

/** The load that a neighbour is, on the cores of sides A and B; `null` for none. */
export function neighbourLoad(
  neighbour: Neighbour,
  {
    cpus,
    seed,
    language,
  }: { readonly cpus: readonly [number, number]; readonly seed: string; readonly language: Language },
): LoadOptions | null {
  if (neighbour === 'none') return null;
  return {
    plan: { mode: 'bursts', seed, busyMeanNs: meanNs, idleMeanNs: meanNs },
    cpus: neighbour === 'one' ? [cpus[0]] : [...new Set(cpus)],
    language,
    work: 'integer',
    priority: 'normal',
  };
}

/** How many times as long work is expected to take beside a neighbour. */
function neighbourSlowdown(neighbour: Neighbour): number {
  return neighbour === 'none' ? 1 : 1 / loadedSpeed;
}

/** About how long the runs of a study take, ns: a duet does both sides at once, `sequential` one after the other, a tandem by turns. */
export function expectedStudyTime(request: StudyRequest, sized: readonly Pick<SizedWorkload, 'startNs'>[]): number {
  const { methods, neighbours, runs, iterations, durationNs } = request;
  const ratio = workOfB(request);
  const startsNs = sized.reduce((sum, { startNs }) => sum + startNs, 0);
  const workNs = sized.length * iterations * durationNs;
  const roundNs = methods.reduce((sum, method) => {
    const share = timesOf(method) === 1 ? Math.max(1, ratio) : (1 + ratio) / 2;
    return sum + timesOf(method) * (startsNs + workNs * share);
  }, 0);
  return neighbours.reduce((sum, neighbour) => sum + runs * roundNs * neighbourSlowdown(neighbour), 0);
}

/** What a study is about to measure and how long that will take, as lines. */
export function renderStudyRequest(
  request: StudyRequest,
  { cpus, expectedNs }: { readonly cpus: readonly [number, number]; readonly expectedNs: number },
): string {
  const { kind, methods, neighbours, workloads, language, runs, iterations, durationNs, seed } = request;
  const against = kind === 'ratio' ? `${workOfB(request)} times as much of itself` : 'itself';
  const lines = [
    `study ${kind}: ${workloads.join(', ')} in ${language}, each against ${against}`,
    `  methods     ${methods.join(', ')}`,
    `  amount      ${countOf(runs, 'run')} of ${countOf(iterations, 'iteration')} of ${Number((durationNs / 1e6).toPrecision(4))} ms, ` +
      'the first half of each run warm-up',
    `  neighbours  ${neighbours.map((neighbour) => describe(neighbour, cpus)).join('; ')}`,
    `  seed        ${printable(seed)}`,
    `  expected    about ${formatStretch(expectedNs)}; Ctrl-C ends it and keeps what is recorded`,
  ];
  return `${lines.join('\n')}\n`;
}

function describe(neighbour: Neighbour, [a, b]: readonly [number, number]): string {
  switch (neighbour) {
    case 'none':
      return 'none';
    case 'both':
      return a === b ? `both (bursts on CPU ${a})` : `both (bursts on CPUs ${a} and ${b} at once)`;
    case 'one':
      return `one (bursts on CPU ${a})`;
  }
}
