/**
 * The program of an experiment whose sides are vitest itself: takes a request from its parent, answers it, and ends, at the latest with its
 * parent.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  callVariable,
  type MeasuredApart,
  type RepeatedCall,
  type TriedCalls,
} from '@deadheat/harness/vitest/provider';
import type { Comparison, ExperimentDescription } from 'deadheat';

/** A call with what starts the vitest that makes it again. */
export interface Call extends RepeatedCall {
  /** Path of vitest's module `vitest/node`. */
  readonly node: string;
  readonly execArgv: readonly string[];
  /** Arguments of vitest's command, and the folder that it was started in. */
  readonly args: readonly string[];
  readonly folder: string;
  /** Path of the file with the test, and its project's name. */
  readonly file: string;
  readonly project: string;
}

/** Wall time is compared where one of the functions waits. */
export interface Request extends TriedCalls {
  readonly call: Call;
  /** Time for all pairs of processes, which are at least {@link leastPairs} a comparison, ms. */
  readonly budgetMs: number;
  /** Time after which there is no answer, ms; null without a limit. */
  readonly limitMs: number | null;
}

export type Answer = { readonly measured: MeasuredApart } | { readonly why: string };

/** File beside that of a call in which `repeat.ts` says why it cannot be repeated. */
const whyFile = 'why';

/** The fewest for which an interval of 95 % can be narrower than what it estimates. */
const leastPairs = 5;
/** Iterations in a process, the first half of which is warm-up. */
const usualIterations = 100;
/** Fewer are made of functions of which so many take longer, ms. The time of calls says it: on a busy machine one that runs out would end before a function is warm. */
const longestMs = 1000;

async function measure({ call, budgetMs, limitMs, waits, callMs }: Request, parentEnds: AbortSignal): Promise<Answer> {
  const { run } = await import('deadheat');
  const { makeTemporaryFolder, removeRegistered } = await import('@deadheat/sync');
  const ended = new AbortController();
  const start = performance.now();
  const timer = limitMs === null ? undefined : setTimeout(() => ended.abort(), limitMs);
  const folder = makeTemporaryFolder('call');
  const file = join(folder, 'call.json');
  try {
    writeFileSync(file, JSON.stringify(call));
    const others = call.names.slice(1).map((_, index) => index + 1);
    const missing = others.map(() => leastPairs);
    const { report, outcome } = await run(
      {
        ...describe(call, file),
        iterations: Math.min(usualIterations, Math.max(2, Math.round(longestMs / callMs))),
        ...(waits ? { metric: 'time' } : {}),
      },
      {
        output: join(folder, 'recording'),
        signal: AbortSignal.any([parentEnds, ended.signal]),
        onProgress: (event) => {
          if (event.kind !== 'trial-finished') return;
          const { benchmark, phase, wallNs } = event.trial;
          if (phase === 'measure') missing[benchmark] = (missing[benchmark] ?? 0) - 1;
          const left = missing.reduce((sum, pairs) => sum + Math.max(0, pairs), 0);
          const elapsed = performance.now() - start;
          // The engine would give up where its own limit of time is too short for as many pairs.
          if (left === 0 ? elapsed >= budgetMs : elapsed + (left * wallNs) / 1e6 > (limitMs ?? Infinity)) ended.abort();
        },
      },
    ).settled;
    const why = join(folder, whyFile);
    if (existsSync(why)) return { why: firstLine(readFileSync(why, 'utf8')) };
    if (outcome.kind === 'failed') return { why: firstLine(outcome.failures[0]?.message) };
    const found = others.flatMap((index) => {
      const isIt = ({ benchmark }: Comparison): boolean =>
        others.length === 1 || benchmark.startsWith(`${nameOf(index)}/`);
      const one = report.comparisons.find(isIt);
      return one !== undefined && one.runs >= leastPairs ? [one] : [];
    });
    return found.length === others.length
      ? { measured: measuredBy(found) }
      : { why: `${leastPairs} pairs of processes take longer than the time limit of the test allows` };
  } finally {
    clearTimeout(timer);
    removeRegistered(folder);
  }
}

function nameOf(index: number): string {
  return `benchmark ${index}`;
}

/** An experiment that compares every benchmark but the first with the first. */
function describe(call: Call, file: string): ExperimentDescription {
  const { names, execArgv, folder } = call;
  const others = names.slice(1);
  const program = fileURLToPath(new URL('repeat.js', import.meta.url));

  function side(index: number): { readonly command: string } {
    const words = [process.execPath, ...execArgv, program, file, callVariable, `${index}:${file}`];
    return { command: words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ') };
  }

  const benchmarks = others.map((_, index) => [nameOf(index + 1), { A: side(0), B: side(index + 1) }] as const);
  return {
    workload: 'harness',
    cwd: folder,
    warmupIterations: 'first-half',
    minRuns: leastPairs,
    maxTime: '24h',
    confidence: '95%',
    benchmarks: Object.fromEntries(benchmarks),
  };
}

function measuredBy(comparisons: readonly Comparison[]): MeasuredApart {
  const itself = { estimate: 1, low: 1, high: 1, blocks: Infinity, metric: 'cpu' } as const;
  return {
    timesNs: [comparisons.flatMap(({ sides }) => sides.A.times), ...comparisons.map(({ sides }) => sides.B.times)].map(
      (seconds) => seconds.map((time) => time * 1e9),
    ),
    toFirst: [
      itself,
      ...comparisons.map(({ interval: { estimate, low, high }, metric, runs }) => ({
        estimate,
        low: low ?? 0,
        high: high ?? Infinity,
        blocks: runs,
        metric: metric === 'cpu' ? ('cpu' as const) : ('wall' as const),
      })),
    ],
  };
}

function whyNot(error: unknown): string {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
  return isMissing ? 'the package deadheat is not installed' : firstLine((error as Error).message);
}

function firstLine(text = ''): string {
  return text.split('\n')[0] ?? '';
}

const parentEnds = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => parentEnds.abort());
process.once('disconnect', () => parentEnds.abort());
process.once('message', (request) => {
  void measure(request as Request, parentEnds.signal)
    .catch((error: unknown): Answer => ({ why: whyNot(error) }))
    .then((answer) => {
      if (process.connected) process.send?.(answer, () => process.disconnect());
    });
});
