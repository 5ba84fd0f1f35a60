/**
 * The program of an experiment whose sides are vitest itself: takes a request from its parent, answers it, and ends, at the latest with its
 * parent.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { callVariable, type MeasuredApart, type RepeatedCall } from '@deadheat/harness/vitest/provider';
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

export interface Request {
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
const iterations = 100;

async function measure({ call, budgetMs, limitMs }: Request, parentEnds: AbortSignal): Promise<Answer> {
  const { run } = await import('deadheat');
  const { makeTemporaryFolder, removeRegistered } = await import('@deadheat/sync');
  const late = new AbortController();
  const end = performance.now() + (limitMs ?? Infinity);
  const timer = limitMs === null ? undefined : setTimeout(() => late.abort(), limitMs);
  const folder = makeTemporaryFolder('call');
  const file = join(folder, 'call.json');
  try {
    writeFileSync(file, JSON.stringify(call));
    const others = call.names.slice(1).map((_, index) => index + 1);
    let missing = leastPairs * others.length;
    const { report, outcome } = await run(describe(call, file, budgetMs), {
      output: join(folder, 'recording'),
      signal: AbortSignal.any([parentEnds, late.signal]),
      onProgress: (event) => {
        if (event.kind !== 'trial-finished') return;
        if (event.trial.phase === 'measure') missing -= 1;
        if (performance.now() + Math.max(0, missing) * (event.trial.wallNs / 1e6) > end) late.abort();
      },
    }).settled;
    const why = join(folder, whyFile);
    if (existsSync(why)) return { why: firstLine(readFileSync(why, 'utf8')) };
    if (outcome.kind === 'failed') return { why: firstLine(outcome.failures[0]?.message) };
    const found = others.map((index) =>
      report.comparisons.find(({ benchmark }) => others.length === 1 || benchmark.startsWith(`${nameOf(index)}/`)),
    );
    if (found.every((one) => one !== undefined && one.runs >= leastPairs)) {
      return { measured: measuredBy(found.filter((one) => one !== undefined)) };
    }
    const limit = late.signal.aborted ? 'the time limit of the test allows' : 'five times the time of a comparison';
    return { why: `${leastPairs} pairs of processes take longer than ${limit}` };
  } finally {
    clearTimeout(timer);
    removeRegistered(folder);
  }
}

function nameOf(index: number): string {
  return `benchmark ${index}`;
}

/** An experiment that compares every benchmark but the first with the first. */
function describe(call: Call, file: string, budgetMs: number): ExperimentDescription {
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
    iterations,
    minRuns: leastPairs,
    maxTime: `${Math.max(1, Math.round(budgetMs / others.length))}ms`,
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
