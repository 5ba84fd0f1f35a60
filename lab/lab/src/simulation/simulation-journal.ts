import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { UsageError } from 'deadheat/settings';
import { dimensionText, type SimulatedDimension, type SimulationModel } from './simulation-model.ts';
import { type SimulatedExperiments, type SimulationOptions } from './simulate-experiments.ts';

/** One benchmark in one dimension. */
export interface SimulationTask {
  readonly model: SimulationModel;
  readonly dimension: SimulatedDimension;
}

/** Finished experiments of one task. */
export interface SimulatedChunk {
  /** Which task, 0-based. */
  readonly task: number;
  /** Number of the first experiment. */
  readonly from: number;
  readonly experiments: SimulatedExperiments;
}

const numbers = z.array(z.number());
const chunkSchema = z.strictObject({
  task: z.int().nonnegative(),
  from: z.int().nonnegative(),
  experiments: z.strictObject({
    intervals: z.array(
      z
        .strictObject({ missed: numbers, widths: numbers, lows: numbers.optional() })
        .transform(({ lows, ...known }) => ({ ...known, lows: lows ?? known.widths.map(() => Number.NaN) })),
    ),
    grandMeans: numbers.min(1),
  }),
});

/** What must be the same for results to belong together. */
type Header = Readonly<Record<string, unknown>>;

function digestOf(model: SimulationModel): string {
  const plain = JSON.stringify({ ...model, warnings: [], iterationNs: undefined }, (_key, value: unknown) =>
    value instanceof Float64Array ? [...value] : value,
  );
  return createHash('sha256').update(plain).digest('hex').slice(0, 16);
}

function headerOf(
  tasks: readonly SimulationTask[],
  { seed, boundaries, replicates, confidence }: SimulationOptions,
): Header {
  return {
    schema: 'deadheat.simulation/1',
    seed,
    boundaries,
    replicates,
    confidence,
    dimensions: tasks.map(({ dimension }) => dimensionText(dimension)),
    benchmarks: tasks.map(({ model }) => model.benchmark),
    data: tasks.map(({ model }) => digestOf(model)),
  };
}

const broken = (path: string, line: number): UsageError =>
  new UsageError(
    'UNREADABLE_INPUT',
    `--output '${path}' cannot be resumed: line ${line} is no result of deadheat lab simulate`,
    {
      hint: 'Name a new file, or the one that an earlier deadheat lab simulate wrote.',
    },
  );

function parse(text: string, path: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw broken(path, line);
  }
}

function checkHeader(text: string, expected: Header, path: string): void {
  const found = parse(text, path, 1);
  if (typeof found !== 'object' || found === null || (found as Header)['schema'] !== expected['schema']) {
    throw broken(path, 1);
  }
  const different = Object.keys(expected).find(
    (key) => JSON.stringify((found as Header)[key]) !== JSON.stringify(expected[key]),
  );
  if (different === undefined) return;
  throw new UsageError('CONFLICT', `--output '${path}' holds another simulation: not the same ${different}`, {
    hint: 'Repeat the command that began it, or name a new file.',
  });
}

/** The file in which finished experiments are kept, a line of JSON a chunk below a header. */
export class SimulationJournal {
  /** What earlier runs of the command have finished. */
  readonly earlier: readonly SimulatedChunk[];
  readonly #path: string | null;

  /**
   * Begins the file, or goes on with it.
   *
   * @param path `null` = nothing is kept
   * @throws UsageError where it holds something else
   */
  constructor(path: string | null, tasks: readonly SimulationTask[], options: SimulationOptions) {
    this.#path = path;
    this.earlier = path === null ? [] : open(path, headerOf(tasks, options));
  }

  /** Keeps a chunk. */
  add(chunk: SimulatedChunk): void {
    if (this.#path !== null) appendFileSync(this.#path, `${JSON.stringify(chunk)}\n`);
  }
}

function open(path: string, header: Header): readonly SimulatedChunk[] {
  const content = existsSync(path) ? readFileSync(path, 'utf8') : '';
  // What an interrupted write has left has no line break.
  const end = content.lastIndexOf('\n') + 1;
  const [first, ...rest] = content.slice(0, end).split('\n').slice(0, -1);
  if (first === undefined) {
    if (content !== '') throw broken(path, 1);
    writeFileSync(path, `${JSON.stringify(header)}\n`);
    return [];
  }
  checkHeader(first, header, path);
  const chunks = rest.map((line, i) => {
    const read = chunkSchema.safeParse(parse(line, path, i + 2));
    if (!read.success) throw broken(path, i + 2);
    return read.data;
  });
  if (end < content.length) truncateSync(path, Buffer.byteLength(content.slice(0, end)));
  return chunks;
}
