import { editDistance, nearestWord, type Params, type Side } from '@deadheat/model';

/** Fields that benchmarks are matched by. */
export interface NamedBenchmark {
  readonly name: string;
  readonly params: Params;
}

/** Further benchmarks are counted. */
const mostListed = 5;
/** Further ones are not compared with those of the other side. */
const mostNearest = 3;

/** `'sum' length=1000`. */
export function labelOfBenchmark({ name, params }: NamedBenchmark): string {
  return [`'${name}'`, ...Object.entries(params).map(([key, value]) => `${key}=${value}`)].join(' ');
}

/** The first of them by name and parameters, and the number of the others. */
export function listBenchmarks(benchmarks: readonly NamedBenchmark[]): string {
  if (benchmarks.length === 0) return 'nothing';
  const listed = benchmarks.slice(0, mostListed).map(labelOfBenchmark).join(', ');
  return benchmarks.length > mostListed ? `${listed} and ${benchmarks.length - mostListed} more` : listed;
}

/** The one of `others` that has the same name and the most similar parameters, or else the most similar name. */
function nearestOf(benchmark: NamedBenchmark, others: readonly NamedBenchmark[]): NamedBenchmark | null {
  const label = labelOfBenchmark(benchmark);
  const [sameName] = others
    .filter(({ name }) => name === benchmark.name)
    .map((other) => ({ other, distance: editDistance(label, labelOfBenchmark(other)) }))
    .toSorted((one, another) => one.distance - another.distance);
  if (sameName !== undefined) return sameName.other;
  const names = others.map(({ name }) => name);
  const nearest = nearestWord(benchmark.name, names);
  return nearest === null ? null : (others[names.indexOf(nearest)] ?? null);
}

/** A sentence without a full stop: the benchmarks of both sides, and which are probably meant to be the same. */
export function describeUnmatched(held: Readonly<Record<Side, readonly NamedBenchmark[]>>): string {
  const near = held.A.slice(0, mostNearest).flatMap((benchmark) => {
    const nearest = nearestOf(benchmark, held.B);
    return nearest === null
      ? []
      : [`${labelOfBenchmark(benchmark)} of A is nearest to ${labelOfBenchmark(nearest)} of B`];
  });
  const guesses = near.length === 0 ? '' : ` (${near.join('; ')})`;
  return `A holds ${listBenchmarks(held.A)}; B holds ${listBenchmarks(held.B)}${guesses}`;
}
