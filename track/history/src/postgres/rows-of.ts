import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { recordingFiles, type Experiment, type Trial } from '@deadheat/model';
import { paramsKey } from '../points.ts';
import type { IterationChunk } from '@deadheat/recording';
import { chunksOf, trialsOf } from '../recording/run-columns.ts';
import type { RecordingFolder } from '../recording/read-folder.ts';
import { BinaryRows } from './binary-rows.ts';

const pieceBytes = 1 << 18;
const partBytes = 4 << 20;
const compress = promisify(gzip);

export const trialColumns: string =
  'recording, trial, benchmark, method, run, phase, started_first, status, wall_ns, cpu_a, cpu_b';

/** Rows of the table `trial`: every line of the journal. */
export async function* trialRows({ directory, stored, experiment }: RecordingFolder): AsyncGenerator<Buffer> {
  const rows = new BinaryRows();
  for await (const trial of trialsOf(directory)) {
    addTrial(rows, trial, { recording: stored.id, experiment });
    if (rows.length >= pieceBytes) yield rows.take();
  }
  yield rows.take();
}

function addTrial(
  rows: BinaryRows,
  trial: Trial,
  { recording, experiment }: { readonly recording: string; readonly experiment: Experiment },
): void {
  rows
    .row(11)
    .text(recording)
    .integer(trial.trial)
    .text(experiment.config.benchmarks[trial.benchmark]?.name ?? '')
    .text(trial.method)
    .integer(trial.run)
    .text(trial.phase)
    .text(trial.order === 'AB' ? 'A' : 'B')
    .text(trial.status)
    .double(trial.wallNs)
    .integer(trial.sides.A.cpu)
    .integer(trial.sides.B.cpu);
}

export const iterationColumns: string =
  'started_at, recording, position, trial, benchmark, params, method, run, side, is_warmup, first_iteration, start_ns, ' +
  'duration_ns, invocations, cpu_ns, run_delay_ns, involuntary_switches, metric_names, metric_values';

/** Rows of the table `iterations`. */
export async function* iterationRows({ directory, stored }: RecordingFolder): AsyncGenerator<Buffer> {
  const rows = new BinaryRows();
  let position = 0;
  for await (const chunk of chunksOf(directory)) {
    rows.row(19).time(stored.startedAt).text(stored.id).integer(position);
    addChunk(rows, chunk);
    position += 1;
    if (rows.length >= pieceBytes) yield rows.take();
  }
  yield rows.take();
}

function addChunk(rows: BinaryRows, chunk: IterationChunk): void {
  rows
    .integer(chunk.trial)
    .text(chunk.benchmark)
    .text(paramsKey(chunk.params))
    .text(chunk.method)
    .integer(chunk.run)
    .text(chunk.side)
    .boolean(chunk.isWarmup)
    .integer(chunk.firstIteration)
    .whole(chunk.startNs)
    .whole(chunk.durationNs);
  if (chunk.invocations.every((count) => count === 1n)) rows.nothing();
  else rows.whole(chunk.invocations);
  for (const values of [chunk.cpuNs, chunk.runDelayNs, chunk.involuntarySwitches]) {
    if (values === null) rows.nothing();
    else rows.doubles([values]);
  }
  const names = Object.keys(chunk.metrics);
  if (names.length === 0) rows.nothing().nothing();
  else rows.texts(names).doubles(Object.values(chunk.metrics));
}

export const fileColumns: string = 'recording, path, part, content';

/** Rows of the table `file`: every file of the recording, in parts that are compressed each for itself, two at a time. */
export async function* fileRows(recording: RecordingFolder): AsyncGenerator<Buffer> {
  function row({ path, part, content }: Awaited<ReturnType<typeof compressed>>): Buffer {
    return new BinaryRows().row(4).text(recording.stored.id).text(path).integer(part).bytes(content).take();
  }

  let pending: ReturnType<typeof compressed> | null = null;
  for await (const part of fileParts(recording)) {
    const next = compressed(part);
    if (pending !== null) yield row(await pending);
    pending = next;
  }
  if (pending !== null) yield row(await pending);
}

interface FilePart {
  readonly path: string;
  /** Number of the part, from 0. */
  readonly part: number;
  readonly content: Buffer;
}

async function compressed({ content, ...place }: FilePart): Promise<FilePart> {
  // The Parquet table is compressed already.
  const level = place.path === recordingFiles.iterations ? 0 : 1;
  return { ...place, content: await compress(content, { level }) };
}

/** The parts of every file; an empty file has one part, so that it is kept, too. */
async function* fileParts({ directory, files, experimentText }: RecordingFolder): AsyncGenerator<FilePart> {
  for (const path of files) {
    if (path === recordingFiles.experiment) {
      yield { path, part: 0, content: Buffer.from(experimentText) };
      continue;
    }
    let part = 0;
    const stream: AsyncIterable<Buffer> = createReadStream(join(directory, path), { highWaterMark: partBytes });
    for await (const content of stream) {
      yield { path, part, content };
      part += 1;
    }
    if (part === 0) yield { path, part, content: Buffer.alloc(0) };
  }
}
