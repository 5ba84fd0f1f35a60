import { createRandom, shuffle, type Random } from '@deadheat/stats';
import {
  workloadFacts,
  methodFacts,
  sides,
  type Benchmark,
  type ExperimentConfig,
  type Method,
  type RunPhase,
  type Side,
} from '@deadheat/model';

/** Longest stack padding that is drawn: one page, so that every alignment inside a page can occur. */
const padRange = 4096;

/** Everything random about one run, drawn beforehand. */
export interface PlannedTrial {
  readonly benchmark: number;
  readonly run: number;
  readonly phase: RunPhase;
  readonly method: Method;
  /** Which side is started first; for `sequential` also which one is over before the other begins. */
  readonly order: 'AB' | 'BA';
  /** CPUs of the sides; in a `tandem` both have the same one. */
  readonly cpus: Readonly<Record<Side, readonly number[]>>;
  /** Lengths of the padding variables that move the stacks (Mytkowicz et al., ASPLOS 2009). */
  readonly padBytes: Readonly<Record<Side, number>>;
}

type PlanConfig = Pick<
  ExperimentConfig,
  'seed' | 'method' | 'pilotRuns' | 'swap' | 'cpus' | 'tandemCpus' | 'sequentialCpus'
>;

/**
 * Draws order, cores and padding of one run. Every run has a random stream of its own, derived from the seed and the
 * run's place: a resumed experiment has the same draws as the interrupted one, and so has one whose runs are executed
 * several at a time.
 *
 * Cores of a duet: `swap: 'pair'` tosses a coin for a block of two runs and has the sides trade cores inside it; `'run'`
 * tosses for every run (ICPE'20 section 5); `'never'` keeps the configured assignment. Core of a tandem, and of sides alone: of as many
 * successive runs as there are cores each takes another one, in a random order. In `sequential` each side has all CPUs.
 *
 * Pilot runs are duets; with a single CPU, where there is none, the sides are executed one after the other. So they are with
 * `alone`, each with all CPUs, as in `sequential`. Beside tandems that were asked for, those of the method `alone` take the place of pilot runs.
 * Counting runs are `sequential`, without padding.
 */
export function planTrial(
  config: PlanConfig,
  place: Pick<PlannedTrial, 'benchmark' | 'run' | 'phase'> & {
    readonly alone?: boolean;
    readonly counting?: true | undefined;
  },
): PlannedTrial {
  const { benchmark, run, phase, counting, alone = counting === true } = place;
  const { seed, cpus } = config;
  const stream = `${seed}/${phase}/${benchmark}`;
  const random = createRandom(`${stream}/run/${run}`);
  const order = random.int(2) === 0 ? 'AB' : 'BA';
  // The size of the environment changes the work of a program a little.
  const padBytes = counting === true ? { A: 0, B: 0 } : { A: random.int(padRange), B: random.int(padRange) };
  const among = alone || cpus[0] === cpus[1] ? 'sequential' : 'sync-duet';
  const pilot = config.pilotRuns === 0 && counting !== true ? 'alone' : among;
  const method = phase === 'pilot' ? pilot : config.method;
  const own = { benchmark, run, phase, method, order, padBytes } as const;
  if (methodFacts[method].cpus === 'one-shared') {
    const cpu = tandemCpu(config, { stream, run });
    return { ...own, cpus: { A: [cpu], B: [cpu] } };
  }
  if (methodFacts[method].cpus === 'all' && (phase !== 'pilot' || alone) && config.sequentialCpus.length > 0) {
    return { ...own, cpus: { A: config.sequentialCpus, B: config.sequentialCpus } };
  }
  const traded = isTraded(config.swap, { run, random, block: `${stream}/block/${Math.floor(run / 2)}` });
  const [first, second] = cpus;
  return { ...own, cpus: traded ? { A: [second], B: [first] } : { A: [first], B: [second] } };
}

/** CPUs that a run occupies, each once. */
export function occupiedCpus({ cpus }: Pick<PlannedTrial, 'cpus'>): readonly number[] {
  return [...new Set(sides.flatMap((side) => cpus[side]))];
}

function tandemCpu(
  { tandemCpus, cpus }: Pick<PlanConfig, 'tandemCpus' | 'cpus'>,
  { stream, run }: { readonly stream: string; readonly run: number },
): number {
  const pool = tandemCpus.length === 0 ? [...new Set(cpus)] : tandemCpus;
  const order = shuffle(pool, createRandom(`${stream}/cores/${Math.floor(run / pool.length)}`));
  return order[run % pool.length] ?? cpus[0];
}

function isTraded(
  swap: ExperimentConfig['swap'],
  { run, random, block }: { readonly run: number; readonly random: Random; readonly block: string },
): boolean {
  if (swap === 'never') return false;
  if (swap === 'run') return random.int(2) === 1;
  return (createRandom(block).int(2) + run) % 2 === 1;
}

/**
 * Order in which the benchmarks that still need runs take their turn in a round: randomised interleaving (Abedi and
 * Brecht, ICPE 2017), so that a drift of the machine hits all of them.
 */
export function roundOrder(options: {
  readonly seed: string;
  readonly round: number;
  readonly benchmarks: readonly number[];
}): readonly number[] {
  return shuffle(options.benchmarks, createRandom(`${options.seed}/round/${options.round}`));
}

/**
 * True for a pilot run that shows each side by itself with all CPUs, beside the others that show them together: the last of three or more, and
 * those that are added, of a command where a duet is possible.
 */
export function isAlonePilot(
  { pilotRuns, cpus }: Pick<ExperimentConfig, 'pilotRuns' | 'cpus'>,
  { run, benchmark }: { readonly run: number; readonly benchmark: Pick<Benchmark, 'workload' | 'containers'> },
): boolean {
  const isPlain = !workloadFacts[benchmark.workload].timesItself && benchmark.containers === null;
  return isPlain && cpus[0] !== cpus[1] && pilotRuns >= 3 && run >= pilotRuns - 1;
}
