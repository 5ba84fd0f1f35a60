import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Experiment, recordingFiles, type Trial } from '@deadheat/model';
import { type IterationChunk, iterationChunks, journalTrials } from '@deadheat/recording';
import type { Client } from 'pg';
import { from } from 'pg-copy-streams';
import { paramsKey } from '../points.ts';
import type { RecordingFolder } from '../recording/read-folder.ts';

/** PostgreSQL's binary format of COPY: https://www.postgresql.org/docs/15/sql-copy.html, "Binary Format". */
const signature = Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1');

/** Header of the format: the signature, no flags, no extension. */
const copyHeader: Buffer = Buffer.concat([signature, Buffer.alloc(8)]);
/** Trailer of the format. */
const copyTrailer: Buffer = Buffer.from([0xff, 0xff]);

const oidOfInt8 = 20;
const oidOfFloat8 = 701;
const elementBytes = 12;
/** Timestamps count microseconds from here. */
const epochOf2000Ms = Date.UTC(2000, 0, 1);

/** Builds rows of the binary format. Every value must have the type of its column. */
export class BinaryRows {
  #bytes: Buffer = Buffer.allocUnsafe(1 << 16);
  #view: DataView = viewOf(this.#bytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns the rows that were added so far, and begins anew. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#bytes = Buffer.allocUnsafe(1 << 16);
    this.#view = viewOf(this.#bytes);
    this.#length = 0;
    return taken;
  }

  row(columns: number): this {
    this.#room(2);
    this.#view.setInt16(this.#length, columns);
    this.#length += 2;
    return this;
  }

  nothing(): this {
    return this.#int4(-1);
  }

  text(value: string): this {
    return this.bytes(Buffer.from(value));
  }

  bytes(value: Uint8Array): this {
    this.#int4(value.length);
    this.#room(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  integer(value: number): this {
    return this.#int4(4).#int4(value);
  }

  boolean(value: boolean): this {
    this.#int4(1).#room(1);
    this.#view.setUint8(this.#length, value ? 1 : 0);
    this.#length += 1;
    return this;
  }

  double(value: number): this {
    this.#int4(8).#room(8);
    this.#view.setFloat64(this.#length, value);
    this.#length += 8;
    return this;
  }

  /** A time with zone. @param iso ISO 8601. */
  time(iso: string): this {
    this.#int4(8).#room(8);
    this.#view.setBigInt64(this.#length, BigInt(Date.parse(iso) - epochOf2000Ms) * 1000n);
    this.#length += 8;
    return this;
  }

  /** An array of texts. */
  texts(values: readonly string[]): this {
    const encoded = values.map((value) => Buffer.from(value));
    const size = encoded.reduce((sum, { length }) => sum + 4 + length, 0);
    this.#arrayHead({ oid: 25, hasNull: false, dimensions: [values.length], bytes: size });
    for (const value of encoded) this.bytes(value);
    return this;
  }

  /** An array of bigint. */
  whole(values: BigInt64Array): this {
    const bytes = elementBytes * values.length;
    this.#arrayHead({ oid: oidOfInt8, hasNull: false, dimensions: [values.length], bytes });
    this.#room(bytes);
    let at = this.#length;
    for (const value of values) {
      this.#view.setInt32(at, 8);
      this.#view.setBigInt64(at + 4, value);
      at += elementBytes;
    }
    this.#length = at;
    return this;
  }

  /** Arrays of double precision of one length, one below the other where there are several; NaN becomes NULL. */
  doubles(rows: readonly Float64Array[]): this {
    const [first = new Float64Array()] = rows;
    const missing = rows.reduce(
      (sum, row) => sum + row.reduce((count, value) => count + (value === value ? 0 : 1), 0),
      0,
    );
    const bytes = elementBytes * rows.length * first.length - 8 * missing;
    const dimensions = rows.length === 1 ? [first.length] : [rows.length, first.length];
    this.#arrayHead({ oid: oidOfFloat8, hasNull: missing > 0, dimensions, bytes });
    this.#room(bytes);
    let at = this.#length;
    for (const row of rows) {
      for (const value of row) {
        const isThere = !Number.isNaN(value);
        this.#view.setInt32(at, isThere ? 8 : -1);
        if (isThere) this.#view.setFloat64(at + 4, value);
        at += isThere ? elementBytes : 4;
      }
    }
    this.#length = at;
    return this;
  }

  #arrayHead({
    oid,
    hasNull,
    dimensions,
    bytes,
  }: {
    readonly oid: number;
    readonly hasNull: boolean;
    readonly dimensions: readonly number[];
    readonly bytes: number;
  }): void {
    this.#int4(12 + 8 * dimensions.length + bytes);
    this.#int4(dimensions.length);
    this.#int4(hasNull ? 1 : 0);
    this.#int4(oid);
    for (const size of dimensions) this.#int4(size).#int4(1);
  }

  #int4(value: number): this {
    this.#room(4);
    this.#view.setInt32(this.#length, value);
    this.#length += 4;
    return this;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Sends rows, already in binary form, into a table as part of the open transaction; holds no more than one piece. */
export async function copyRows(
  client: Client,
  { into, pieces }: { readonly into: string; readonly pieces: AsyncIterable<Buffer> | Iterable<Buffer> },
): Promise<void> {
  const stream = client.query(from(`copy ${into} from stdin (format binary)`));
  let refusal: unknown = null;
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('finish', resolve);
    stream.once('error', (error) => {
      refusal = error;
      reject(error);
    });
  });
  // The promise is awaited below; when making a piece fails before, its rejection must not be unhandled.
  ended.catch(() => undefined);

  async function send(piece: Buffer): Promise<void> {
    if (refusal !== null) return ended;
    if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), ended]);
  }

  try {
    await send(copyHeader);
    for await (const piece of pieces) await send(piece);
    await send(copyTrailer);
  } catch (error) {
    if (refusal === null) {
      stream.destroy(error instanceof Error ? error : new Error(String(error)));
      await ended.catch(() => undefined);
    }
    throw error;
  }
  stream.end();
  await ended;
}

const pieceBytes = 1 << 18;
const partBytes = 4 << 20;
const compress = promisify(gzip);

export const trialColumns: string =
  'recording, trial, benchmark, method, run, phase, started_first, status, wall_ns, cpu_a, cpu_b';

/** Rows of the table `trial`: every line of the journal. */
export async function* trialRows({ directory, stored, experiment }: RecordingFolder): AsyncGenerator<Buffer> {
  const rows = new BinaryRows();
  for (const trial of journalTrials(directory)) {
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
  for await (const chunk of iterationChunks(directory)) {
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
