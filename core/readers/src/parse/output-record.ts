import type { Params } from '@deadheat/model';
import { recordVersion } from '@deadheat/recording';
import type { ParsedIteration } from './output-parser.ts';
import { type LineArrivals, type PlacedIterations, placeIterations } from './place-iterations.ts';

/** The record of one benchmark that a parser found in what a program printed or wrote. */
export interface OutputRecord {
  readonly clock: PlacedIterations['clock'];
  readonly lines: readonly string[];
}

/**
 * Records of what a parser found, benchmark by benchmark.
 *
 * @param name that of a program that holds one benchmark, whatever its output calls it; `null` = its own name, or `program`.
 * @throws ParserError as `placeIterations`
 */
export function outputRecords(
  iterations: readonly ParsedIteration[],
  { name, arrivals }: { readonly name: string | null; readonly arrivals: LineArrivals | null },
): readonly OutputRecord[] {
  return byBenchmark(iterations, name).map((own) => {
    const { clock, placed } = placeIterations(own.iterations, arrivals);
    const head = JSON.stringify({ deadheat: recordVersion, benchmark: own.name, params: own.params, clock });
    return { clock, lines: [head, ...toLines(placed)] };
  });
}

interface NamedIterations {
  readonly name: string;
  readonly params: Params;
  readonly iterations: ParsedIteration[];
}

/** A program that holds one benchmark is called as the configuration calls it. */
function byBenchmark(iterations: readonly ParsedIteration[], name: string | null): readonly NamedIterations[] {
  const found = new Map<string, NamedIterations>();
  for (const iteration of iterations) {
    const { benchmark = name ?? 'program', params = {} } = iteration;
    const key = JSON.stringify([benchmark, params]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { name: benchmark, params, iterations: [iteration] });
    else known.iterations.push(iteration);
  }
  const [only, ...more] = found.values();
  if (only === undefined) return [];
  return more.length === 0 ? [{ ...only, name: name ?? only.name }] : [only, ...more];
}

function toLines(placed: PlacedIterations['placed']): readonly string[] {
  return placed.map(({ iteration: { phase, invocations, metrics }, startNs, endNs, durationNs }, index) =>
    JSON.stringify({
      ...metrics,
      i: index,
      s: startNs,
      e: endNs,
      ...(durationNs === null ? {} : { w: durationNs }),
      ...(invocations === undefined ? {} : { n: invocations }),
      ...(phase === undefined ? {} : { p: phase }),
    }),
  );
}
