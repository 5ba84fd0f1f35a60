import { createRandom, type Random } from '@deadheat/stats';
import type { ExperimentConfig, Phase, Side } from '@deadheat/model';

/** Longest stack padding that is drawn: one page, so that every alignment inside a page can occur. */
const padRange = 4096;

/** Everything random about one run, drawn beforehand. */
export interface PlannedTrial {
  readonly benchmark: number;
  readonly run: number;
  readonly phase: Phase;
  /** Which side is started first; for `sequential` also which one is over before the other begins. */
  readonly order: 'AB' | 'BA';
  readonly cpus: Readonly<Record<Side, number>>;
  /** Lengths of the padding variables that move the stacks (Mytkowicz et al., ASPLOS 2009). */
  readonly padBytes: Readonly<Record<Side, number>>;
}

/**
 * Draws order, cores and padding of one run. Every run has a random stream of its own, made from the seed and the
 * run's place: a resumed experiment draws what the interrupted one would have drawn.
 *
 * Cores: `swap: 'pair'` tosses a coin for a block of two runs and has the sides trade cores inside it; `'run'` tosses
 * for every run (ICPE'20 section 5); `'never'` keeps the configured assignment.
 */
export function planTrial(
  config: Pick<ExperimentConfig, 'seed' | 'swap' | 'cpus'>,
  place: Pick<PlannedTrial, 'benchmark' | 'run' | 'phase'>,
): PlannedTrial {
  const { benchmark, run, phase } = place;
  const stream = `${config.seed}/${phase}/${benchmark}`;
  const random = createRandom(`${stream}/run/${run}`);
  const order = random.int(2) === 0 ? 'AB' : 'BA';
  const padBytes = { A: random.int(padRange), B: random.int(padRange) };
  const traded = isTraded(config.swap, { run, random, block: `${stream}/block/${Math.floor(run / 2)}` });
  const [first, second] = config.cpus;
  return { benchmark, run, phase, order, padBytes, cpus: traded ? { A: second, B: first } : { A: first, B: second } };
}

function isTraded(
  swap: ExperimentConfig['swap'],
  { run, random, block }: { readonly run: number; readonly random: Random; readonly block: string },
): boolean {
  if (swap === 'never') return false;
  if (swap === 'run') return random.int(2) === 1;
  return (createRandom(block).int(2) + run) % 2 === 1;
}
