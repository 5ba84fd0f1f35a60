import { hierarchicalBootstrap, percentileInterval } from '@deadheat/stats';
import { type IterationSample, share, studyRandom, count, text, type StudyTable } from '@deadheat/analysis';
import { intervalOf, meanOf, type StoppingSeries, valuesOf } from './stopping-outcome.ts';

/** Two halves of the forks of a benchmark, with iterations as they are and with several made one. */
export interface IterationLengths {
  /** Distance of the ratio of means from 1, of the second half over the first, with its 99 % interval: both with short iterations, and the second with long ones. */
  readonly same: RatioOfHalves;
  readonly longer: RatioOfHalves;
  /** Width of the 99 % interval of the second half's mean over that mean, by short and by long iterations. */
  readonly shortWidth: number;
  readonly longWidth: number;
}

interface RatioOfHalves {
  readonly change: number;
  readonly low: number;
  readonly high: number;
}

const mostMeasured = 50;
const leastForks = 4;
const confidence = 0.99;

/** Consecutive iterations joined into longer ones. */
function joinedSample(iterations: readonly IterationSample[]): IterationSample {
  if (iterations.every((one) => typeof one === 'number')) {
    return iterations.reduce((sum, one) => sum + one, 0) / iterations.length;
  }
  const parts = iterations.map((one) => {
    if (typeof one === 'number') return { values: [one], counts: [1] };
    return 'counts' in one ? one : { values: one, counts: Array.from(one, () => 1) };
  });
  const [values, counts] = (['values', 'counts'] as const).map((key) => parts.flatMap((one) => Array.from(one[key])));
  return { values: values ?? [], counts: counts ?? [] };
}

/**
 * Compares results with those of iterations that are `factor` times as long: the first half of the forks with iterations as they are, the second half with as much time in
 * fewer, longer ones; beside both halves with short ones, which differ as forks do. Of each fork the second half of its iterations is measured, at most 50.
 *
 * @returns `null` for fewer than 4 forks, or fewer than two long iterations in what is measured.
 * @throws RangeError for a factor that is no integer above 1
 * Source: FSE'20, section 6, "Iteration Time and Forks", which reports such an analysis of 10 s and 1 s without its numbers. The halves of forks and
 * the hierarchical bootstrap (section 5.3.4) are ours.
 */
export function iterationLengths(
  series: StoppingSeries,
  {
    seed,
    factor = 10,
    replicates = 2000,
  }: { readonly seed: string; readonly factor?: number; readonly replicates?: number },
): IterationLengths | null {
  if (!(Number.isInteger(factor) && factor > 1))
    throw new RangeError(`factor must be an integer above 1, got ${factor}`);
  const { forks } = series;
  const length = Math.min(...forks.map((fork) => fork.length));
  const warmup = Math.min(mostMeasured, Math.floor(length / 2));
  const measured = Math.floor(Math.min(mostMeasured, length - warmup) / factor) * factor;
  if (forks.length < leastForks || measured < 2 * factor) return null;
  const cut = forks.map((fork) => fork.slice(warmup, warmup + measured));
  const [first, second] = [cut.slice(0, forks.length / 2), cut.slice(forks.length / 2)];
  const long = second.map((fork) =>
    Array.from({ length: measured / factor }, (_, k) => joinedSample(fork.slice(k * factor, (k + 1) * factor))),
  );
  const draw = (half: typeof cut, purpose: string): Float64Array =>
    hierarchicalBootstrap(
      half.map((fork) => fork.map((one) => valuesOf(one))),
      { replicates, random: studyRandom({ seed }, 'iteration length', series.label, purpose), weights: 'pooled' },
    );
  const [below, short, longer] = [draw(first, 'first'), draw(second, 'short'), draw(long, 'long')];
  const widthOf = (replicated: Float64Array): number => {
    const { low, high } = percentileInterval(replicated, confidence);
    return (high - low) / meanOf(second);
  };
  const ratioOf = (half: typeof cut, above: Float64Array): RatioOfHalves => ({
    change: Math.abs(meanOf(half) / meanOf(first) - 1),
    ...intervalOf(above, below),
  });
  return {
    same: ratioOf(second, short),
    longer: ratioOf(long, longer),
    shortWidth: widthOf(short),
    longWidth: widthOf(longer),
  };
}

/** Short iterations beside ones ten times as long, over benchmarks; none where no benchmark has enough of them. */
export function iterationLengthTable(found: readonly (IterationLengths | null)[]): readonly StudyTable[] {
  const all = found.filter((one) => one !== null);
  if (all.length === 0) return [];
  const meanOver = (of: (one: IterationLengths) => number): number =>
    all.reduce((sum, one) => sum + of(one), 0) / all.length;
  const row = (
    name: string,
    of: (one: IterationLengths) => RatioOfHalves,
    width: (one: IterationLengths) => number,
  ) => [
    name,
    all.length,
    meanOver((one) => (of(one).low <= 1 && of(one).high >= 1 ? 1 : 0)),
    meanOver((one) => of(one).change),
    meanOver(width),
  ];
  return [
    {
      title: 'Iterations ten times as long',
      source: "Laaber et al., FSE'20, section 6, iteration time and forks",
      columns: [
        text('second half'),
        count('benchmarks'),
        share('A/A not different'),
        share('mean change'),
        share('width'),
      ],
      rows: [
        row(
          'as recorded',
          ({ same }) => same,
          ({ shortWidth }) => shortWidth,
        ),
        row(
          'ten as one',
          ({ longer }) => longer,
          ({ longWidth }) => longWidth,
        ),
      ],
      notes: [
        'the second half of the forks against the first, which is as recorded; width: of the 99 % interval of the mean of the second half',
      ],
    },
  ];
}
