import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import {
  configOf,
  DeadheatError,
  type Benchmark,
  type Comparison,
  type ExperimentConfig,
  type Explanation,
  type Report,
  type Side,
  sides,
  type Verdict,
} from '@deadheat/model';
import { type Runtime, runtimeOf } from '@deadheat/engine';
import { makeTemporaryFolder, removeRegistered } from '@deadheat/sync';
import { FunctionTable, SideSums } from './align-functions.ts';
import { judgeFunctions } from './judge-functions.ts';
import type { SampledRun } from './sampled-run.ts';
import { SampledPairs } from './sampled-pairs.ts';
import { javaSampler } from './samplers/java.ts';
import { nativeSampler } from './samplers/native.ts';
import { nodeSampler } from './samplers/node.ts';
import { pythonSampler } from './samplers/python.ts';
import type { Sampler } from './samplers/sampler.ts';

export interface ExplainOptions {
  readonly config: ExperimentConfig;
  readonly report: Pick<Report, 'comparisons'>;
  /** Name of the benchmark; `null` = the one that {@link worstBenchmark} chooses. */
  readonly benchmark: string | null;
  /** Pairs of runs, >= 2. */
  readonly pairs: number;
  /** Time after which no further pair begins, ns; `null` = no limit. */
  readonly maxTimeNs: number | null;
  readonly inherited: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  /** Called before the first pair, and when a pair is done. */
  readonly onPair?: (done: number, of: number) => void;
}

const samplersByRuntime: Readonly<Record<Runtime, Sampler>> = {
  java: javaSampler,
  native: nativeSampler,
  node: nodeSampler,
  python: pythonSampler,
};
const fewestPairs = 5;

/**
 * Executes the two programs of a recorded benchmark in further pairs under the samplers of their runtimes, and compares their functions.
 *
 * @throws DeadheatError `SAMPLER_MISSING` or `SAMPLER_REFUSED` (exit code 5), `NOT_FOUND` for a benchmark that is not there,
 *   `TIME_LIMIT` before there are five pairs, `INTERRUPTED`, and as `SampledPairs`
 */
export async function explain(options: ExplainOptions): Promise<Explanation> {
  const { config, report, inherited, signal, pairs, maxTimeNs, onPair } = options;
  const index = indexOf(options);
  const benchmark = config.benchmarks[index];
  if (benchmark === undefined) throw new RangeError(`there is no benchmark ${index}`);
  checkExecutable(benchmark);
  const folder = makeTemporaryFolder('explain');
  const samplers = {
    A: samplersByRuntime[runtimeOf(benchmark.commands.A)],
    B: samplersByRuntime[runtimeOf(benchmark.commands.B)],
  };
  if (samplers.A !== samplers.B) {
    removeRegistered(folder);
    throw new DeadheatError(
      'SAMPLER_MISSING',
      `A is sampled by ${samplers.A.name} and B by ${samplers.B.name}: functions of two runtimes cannot be compared.`,
    );
  }
  const begun = performance.now();
  const sums = { A: new SideSums(), B: new SideSums() };
  let running: SampledPairs | null = null;
  function end(): void {
    running?.end();
  }
  signal.addEventListener('abort', end, { once: true });
  try {
    running = await SampledPairs.start({ config, index, samplers, folder, inherited });
    await running.pilot();
    onPair?.(0, pairs);
    for (let pair = 0; pair < pairs && !signal.aborted; pair++) {
      if (maxTimeNs !== null && (performance.now() - begun) * 1e6 > maxTimeNs) break;
      const ended = await running.run(pair);
      for (const side of sides) {
        const { sampled, cpuSeconds } = ended[side];
        sums[side].add(withoutFolder(sampled, benchmark, side), cpuSeconds);
      }
      onPair?.(pair + 1, pairs);
    }
    if (signal.aborted) throw new DeadheatError('INTERRUPTED', 'interrupted');
    const done = sums.A.runs.length;
    if (done < Math.min(fewestPairs, pairs)) {
      throw new DeadheatError(
        'TIME_LIMIT',
        `the time limit passed after ${done} pairs, and an explanation needs ${fewestPairs}.`,
      );
    }
    const { confidence, seed } = configOf(config, benchmark);
    const comparison = report.comparisons.find((one) => isOf(one, benchmark));
    return {
      schema: 'deadheat.explain/1',
      ...joinRuns(sums, { confidence, seed }),
      benchmark: benchmark.name,
      commands: { A: benchmark.commands.A.commandLine, B: benchmark.commands.B.commandLine },
      runtime: samplers.A.runtime,
      sampler: samplers.A.name,
      pairs: done,
      executions: running.executions,
      samples: (sums.A.samples + sums.B.samples) / (2 * done),
      intervalNs: running.intervalNs,
      confidence,
      verdict:
        comparison === undefined
          ? null
          : {
              verdict: comparison.verdict,
              ratio: comparison.interval.estimate,
              low: comparison.interval.low,
              high: comparison.interval.high,
            },
    };
  } catch (error) {
    if (signal.aborted) throw new DeadheatError('INTERRUPTED', 'interrupted', { cause: error });
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
    await running?.close();
    removeRegistered(folder);
  }
}

/** Aligns the functions of pairs of runs, and judges them. */
export function joinRuns(
  sums: Readonly<Record<Side, SideSums>>,
  judging: { readonly confidence: number; readonly seed: string },
): Pick<Explanation, 'functions' | 'whole' | 'table' | 'tree'> {
  const table = new FunctionTable(sums);
  const costs = { A: table.costsOf('A'), B: table.costsOf('B') };
  const { functions, whole } = judgeFunctions(
    costs.A.map((A, at) => ({ A, B: costs.B[at] ?? A })),
    judging,
  );
  return {
    whole,
    functions: functions.map(({ fn, self, total, ...cost }) => ({
      ...(table.functions[fn ?? -1] ?? ({ A: null, B: null, kind: 'others' } as const)),
      selfSeconds: self,
      totalSeconds: total,
      ...cost,
    })),
    table: table.functions,
    tree: table.tree(),
  };
}

/** The comparison that asks most for an explanation: slower before faster before the others, each by its ratio. `null` = there is none. */
export function worstBenchmark({ comparisons }: Pick<Report, 'comparisons'>): Comparison | null {
  const order: Readonly<Record<Verdict, number>> = { slower: 0, faster: 1, undecided: 2, 'dead-heat': 3 };
  const sizeOf = ({ interval }: Comparison): number => Math.abs(Math.log(interval.estimate));
  const [worst = null] = comparisons
    .filter(({ controlOf }) => controlOf === undefined)
    .toSorted((a, b) => order[a.verdict] - order[b.verdict] || sizeOf(b) - sizeOf(a));
  return worst;
}

function isOf({ benchmark, params }: Comparison, entry: Benchmark): boolean {
  return benchmark === entry.name && JSON.stringify(params) === JSON.stringify(entry.params);
}

function indexOf({ config, report, benchmark }: ExplainOptions): number {
  const worst = worstBenchmark(report);
  const found = config.benchmarks.findIndex((entry) =>
    benchmark === null ? worst !== null && isOf(worst, entry) : entry.name === benchmark,
  );
  if (found !== -1) return found;
  // A program with benchmarks of its own has an entry for all of them.
  if (benchmark === null && config.benchmarks.length > 0) return 0;
  const names = config.benchmarks.map(({ name }) => name).join(', ');
  throw new DeadheatError('NOT_FOUND', `the recording has no benchmark ${benchmark}. It has ${names}.`);
}

/** @throws DeadheatError for programs that this process cannot execute once more as they were */
function checkExecutable({ containers, scratch, commands, workingDirectory, name }: Benchmark): void {
  if (containers !== null || sides.some((side) => scratch[side] !== null)) {
    const where = containers === null ? 'copies of a folder' : 'containers';
    throw new DeadheatError('SAMPLER_MISSING', `${name} runs in ${where}, where deadheat has no sampler.`);
  }
  for (const side of sides) {
    const missing = [commands[side].argv[0], workingDirectory[side]].find((path) => path != null && !existsSync(path));
    if (missing == null) continue;
    throw new DeadheatError(
      'NOT_FOUND',
      `${side} cannot be run again: ${missing} is not there any more. Versions of git and npm are removed after a comparison; ` +
        'explain them at once, with --explain.',
    );
  }
}

/** Files of the side's folder by their paths in it: those of two checkouts are then the same. */
function withoutFolder(run: SampledRun, { workingDirectory }: Benchmark, side: Side): SampledRun {
  const folder = `${workingDirectory[side] ?? process.cwd()}${sep}`;
  return {
    ...run,
    frames: run.frames.map((frame) =>
      frame.file.startsWith(folder) ? { ...frame, file: frame.file.slice(folder.length) } : frame,
    ),
  };
}
