import type { IterationRow } from '@deadheat/recording';
import { sides, type Side } from '@deadheat/model';
import type { ExportFormat, ExportSource } from './export-format.ts';
import { countedRows, timeOfSide, tandemLosses } from './iteration-formats.ts';

interface Run {
  readonly name: string;
  readonly side: Side;
  invocations: number;
  durationNs: number;
  /** NaN where an iteration has none. */
  cpuNs: number;
}

/**
 * Go's benchmark text for benchstat (`-col side`): a line is a run, because benchstat takes lines for independent, which
 * iterations of one process are not. Source of the format: Go proposal 14313.
 */
export const goBench: ExportFormat = {
  id: 'go',
  describe: 'Go benchmark text, for benchstat -col side',
  needsFile: false,
  ofReport: null,
  make: async (source) => ({
    content: { kind: 'text', pieces: [toText(source)] },
    losses: [
      'Go benchmark text has one line for each run: single iterations and pairs are left out, so that benchstat sees the noise that the pairing of a duet removes',
      ...tandemLosses(source, 'ns/op is CPU time there'),
    ],
  }),
};

function toText(source: ExportSource): string {
  const runs = [...collect(source).values()];
  const { id } = source.recording.experiment;
  const lines = sides.flatMap((side) => [
    `side: ${side}`,
    ...runs.filter((run) => run.side === side).map((run) => toLine(run)),
  ]);
  return [`experiment: ${id}`, ...lines, ''].join('\n');
}

function toLine({ name, invocations, durationNs, cpuNs }: Run): string {
  const values = [`${perInvocation(durationNs, invocations)} ns/op`];
  if (cpuNs > 0) values.push(`${perInvocation(cpuNs, invocations)} cpu-ns/op`);
  return [name, invocations, ...values].join('\t');
}

/** Whole thousandths of a nanosecond. */
function perInvocation(ns: number, invocations: number): number {
  return Math.round((ns / invocations) * 1000) / 1000;
}

/** Measured iterations of each side of each run, added up. */
function collect(source: ExportSource): ReadonlyMap<string, Run> {
  const names = new GoNames(source);
  const runs = new Map<string, Run>();
  for (const row of countedRows(source, { warmupRuns: false }).rows) {
    if (row.phase === 'warmup') continue;
    const name = names.of(row);
    const key = `${row.side} ${row.run} ${name}`;
    let run = runs.get(key);
    if (run === undefined) {
      run = { name, side: row.side, invocations: 0, durationNs: 0, cpuNs: 0 };
      runs.set(key, run);
    }
    run.invocations += row.invocations;
    run.durationNs += timeOfSide(row);
    run.cpuNs += row.cpuNs ?? Number.NaN;
  }
  return runs;
}

/** Names as Go writes them: no space, an upper-case letter first, parameters as `/name=value`, none for two benchmarks. */
class GoNames {
  readonly #severalMethods: boolean;
  readonly #names = new Map<string, string>();

  constructor({ recording: { trials } }: ExportSource) {
    const measured = trials.filter(({ phase }) => phase !== 'pilot');
    this.#severalMethods = new Set(measured.map(({ method }) => method)).size > 1;
  }

  of({ benchmark, params, method }: Pick<IterationRow, 'benchmark' | 'params' | 'method'>): string {
    const key = JSON.stringify([benchmark, params, method]);
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const taken = new Set(this.#names.values());
    const wanted = this.#make({ benchmark, params, method });
    let name = wanted;
    for (let count = 1; taken.has(name); count++) name = `${wanted}#${String(count).padStart(2, '0')}`;
    this.#names.set(key, name);
    return name;
  }

  #make({ benchmark, params, method }: Pick<IterationRow, 'benchmark' | 'params' | 'method'>): string {
    const pairs = Object.entries(JSON.parse(params) as Readonly<Record<string, string>>);
    if (this.#severalMethods) pairs.push(['method', method]);
    const begun = benchmark.charAt(0).toUpperCase() + benchmark.slice(1);
    const named = /^\p{Lu}/u.test(begun) ? begun : `X${begun}`;
    const text = [named, ...pairs.map(([key, value]) => `/${key}=${value}`)].join('');
    return `Benchmark${text.replaceAll(/\s+/g, '_')}`;
  }
}
