import { createHash } from 'node:crypto';
import { constants, existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { experimentSchema, recordingFiles } from '@deadheat/model';
import { iterationChunks, makeFolder, RecordError } from '@deadheat/recording';
import { fileFailure, placeFolder } from '../folder/place-folder.ts';
import { HistoryError, noSuchRecording, notEmpty } from '../history-error.ts';
import type {
  ChangeTriage,
  History,
  HistoryNote,
  HistoryPoint,
  LeaseRequest,
  MetricName,
  OpenOptions,
  PointFilter,
  PutRequest,
  SeriesName,
  StoredRecording,
  VerdictCounts,
} from '../history.ts';
import { checkTopic, countVerdicts, inOrder, isWanted, newestOfEach } from '../points.ts';
import { readFolder, type RecordingFolder, recordingFolderName } from '../recording/read-folder.ts';
import {
  appendToIndex,
  type IndexBlock,
  type IndexFile,
  pointsIn,
  readIndex,
  replaceIndex,
  toBlock,
} from './index-file.ts';
import {
  addLine,
  holdersOf,
  lastLeases,
  type LeaseNote,
  leaseTopic,
  noteFile,
  readLines,
  triageFile,
} from './line-file.ts';
import { PointIndex } from './point-index.ts';

/**
 * A history in a folder such as `.deadheat/`: every recording in it counts, also one that was made there and never put.
 */
export class FileHistory implements History {
  readonly place: string;
  /** The index block of every recording, as it was last read; `null` = not read yet. */
  #seen: readonly IndexBlock[] | null = null;
  /** The same blocks in the order of the experiments, each recording once. */
  #listed: readonly IndexBlock[] = [];
  /** Of the listed blocks, once points are asked for. */
  #points = new PointIndex();
  /** The blocks that `#points` holds; `null` = none yet. */
  #indexed: readonly IndexBlock[] | null = null;
  /** Open indexes that hold lines of blocks. */
  #files: readonly IndexFile[] = [];
  /** The revision of the listed blocks; `null` = not computed yet. */
  #revision: string | null = null;
  readonly #mayLag: boolean;
  readonly #signal: AbortSignal | undefined;

  private constructor(place: string, { mayLag = false, signal }: Pick<OpenOptions, 'mayLag' | 'signal'>) {
    this.place = place;
    this.#mayLag = mayLag;
    this.#signal = signal;
  }

  static async open(
    place: string,
    { forWriting, ...options }: Pick<OpenOptions, 'forWriting' | 'mayLag' | 'signal'>,
  ): Promise<FileHistory> {
    if (forWriting) await translated(makeFolder(place), { path: place, doing: 'make' });
    if (statSync(place, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new HistoryError(
        'NOT_FOUND',
        `There is no history at ${place}: no such folder. deadheat makes .deadheat where it measures; --from names another one.`,
      );
    }
    return new FileHistory(place, options);
  }

  async put(request: PutRequest): Promise<'added' | 'present'> {
    const recording = await readFolder(request);
    const { id } = recording.stored;
    if ((await this.#blocks()).some(({ stored }) => stored.id === id)) return 'present';
    await checkIterations(recording.directory);
    const folder = recordingFolderName(recording.stored);
    const path = join(this.place, folder);
    const isMade = await translated(
      placeFolder(path, (temporary) => copyRecording(recording, temporary)),
      { path, doing: 'write' },
    );
    if (!isMade && (await idIn(path)) !== id) {
      throw new HistoryError(
        'STORE_FAILED',
        `${path} is in the way: it holds something else. Move it away, and push again.`,
      );
    }
    await this.#blocks();
    return isMade ? 'added' : 'present';
  }

  async prepare(): Promise<void> {
    await this.#blocks();
  }

  async revision(): Promise<string> {
    const blocks = await this.#blocks();
    if (this.#revision === null) {
      const hash = createHash('sha256');
      for (const { stored, mark } of blocks) hash.update(`${stored.id} ${mark}\n`);
      this.#revision = hash.digest('base64url');
    }
    return this.#revision;
  }

  async list(): Promise<readonly StoredRecording[]> {
    return (await this.#seenBlocks()).map(({ stored }) => stored);
  }

  async latest(filter: PointFilter = {}): Promise<readonly HistoryPoint[]> {
    if (filter.experiments !== undefined || filter.metric !== undefined) return newestOfEach(await this.series(filter));
    return (await this.#pointIndex()).newest(filter);
  }

  async series(filter: PointFilter): Promise<readonly HistoryPoint[]> {
    const { experiments, metric } = filter;
    if (experiments === undefined) return inOrder((await this.#pointIndex()).points(filter));
    const wanted = new Set(experiments);
    const blocks = (await this.#seenBlocks()).filter(({ stored }) => wanted.has(stored.id));
    return inOrder(blocks.flatMap((block) => pointsIn(block, { metric })).filter((point) => isWanted(point, filter)));
  }

  async seriesOf(names: readonly SeriesName[]): Promise<Iterable<readonly HistoryPoint[]>> {
    return (await this.#pointIndex()).pointsOf(names);
  }

  async metrics(filter: PointFilter): Promise<readonly MetricName[]> {
    return (await this.#pointIndex()).metrics(filter);
  }

  async verdicts(experiments: readonly string[]): Promise<ReadonlyMap<string, VerdictCounts>> {
    const wanted = new Set(experiments);
    const blocks = (await this.#seenBlocks()).filter(({ stored, lines }) => wanted.has(stored.id) && lines.length > 0);
    return new Map(blocks.map((block) => [block.stored.id, countVerdicts(pointsIn(block))]));
  }

  async report(experiment: string): Promise<string> {
    const { folder } = await this.#find(experiment);
    const path = join(this.place, folder, recordingFiles.report);
    return translated(readFile(path, 'utf8'), { path, doing: 'read' });
  }

  async explanation(experiment: string): Promise<string | null> {
    const { folder } = await this.#find(experiment);
    const path = join(this.place, folder, recordingFiles.explanation);
    return existsSync(path) ? translated(readFile(path, 'utf8'), { path, doing: 'read' }) : null;
  }

  async pull(experiment: string, directory: string): Promise<void> {
    const { folder } = await this.#find(experiment);
    const recording = await readFolder({ directory: join(this.place, folder) });
    const isMade = await translated(
      placeFolder(directory, (temporary) => copyRecording(recording, temporary)),
      { path: directory, doing: 'write' },
    );
    if (!isMade) throw notEmpty(directory);
  }

  async triage(): Promise<readonly ChangeTriage[]> {
    const path = join(this.place, triageFile.name);
    return translated(readLines(path, triageFile), { path, doing: 'read' });
  }

  async addTriage(entry: ChangeTriage): Promise<void> {
    const path = join(this.place, triageFile.name);
    return translated(addLine(path, entry), { path, doing: 'write into' });
  }

  async notes(topic: string): Promise<readonly HistoryNote[]> {
    const file = noteFile(checkTopic(topic));
    const path = join(this.place, file.name);
    return translated(readLines(path, file), { path, doing: 'read' });
  }

  async addNote(topic: string, note: HistoryNote): Promise<void> {
    const path = join(this.place, noteFile(checkTopic(topic)).name);
    return translated(addLine(path, note), { path, doing: 'write into' });
  }

  async leases(): Promise<ReadonlyMap<string, string>> {
    return holdersOf(await this.notes(leaseTopic), new Date().toISOString());
  }

  async lease({ name, holder, ms, renews }: LeaseRequest): Promise<boolean> {
    const now = Date.now();
    const content: LeaseNote = { name, holder, until: new Date(now + ms).toISOString(), renews };
    await this.addNote(leaseTopic, { at: new Date(now).toISOString(), content });
    return lastLeases(await this.notes(leaseTopic)).get(name)?.holder === holder;
  }

  async prune(before: string, { dryRun }: { readonly dryRun: boolean }): Promise<readonly StoredRecording[]> {
    const old = (await this.#blocks()).filter(({ stored }) => Date.parse(stored.startedAt) < Date.parse(before));
    for (const { folder } of dryRun ? [] : old) {
      const path = join(this.place, folder);
      await translated(rm(path, { recursive: true }), { path, doing: 'remove' });
    }
    if (!dryRun) await this.#blocks();
    return old.map(({ stored }) => stored);
  }

  async close(): Promise<void> {
    for (const file of this.#files) file.close();
    this.#files = [];
    this.#seen = null;
    this.#indexed = null;
    this.#points = new PointIndex();
  }

  async #find(experiment: string): Promise<IndexBlock> {
    const found = (await this.#blocks()).find(({ stored }) => stored.id === experiment);
    if (found !== undefined) return found;
    throw noSuchRecording(experiment, this.place);
  }

  /**
   * Reads the index, updates it to the present content of the folder, and returns its blocks in the order in which the
   * experiments began.
   */
  async #blocks(): Promise<readonly IndexBlock[]> {
    const folders = finishedFolders(this.place);
    const seen = this.#seen;
    const marks = new Map(seen?.map(({ folder, mark }) => [folder, mark]));
    const isSame = seen?.length === folders.length && folders.every(({ folder, mark }) => marks.get(folder) === mark);
    if (!isSame) {
      this.#listed = await this.#bringUpToDate(folders);
      this.#revision = null;
    }
    return this.#listed;
  }

  /** The same as they were last seen, where that is allowed. */
  async #seenBlocks(): Promise<readonly IndexBlock[]> {
    return this.#mayLag && this.#seen !== null ? this.#listed : this.#blocks();
  }

  async #bringUpToDate(folders: readonly FinishedFolder[]): Promise<readonly IndexBlock[]> {
    const seen = this.#seen ?? [];
    const known = new Map(seen.map((block) => [block.folder, block]));
    const changed = folders.filter(({ folder, mark }) => known.get(folder)?.mark !== mark);
    const isIndexRead = this.#seen === null || changed.length > mostReadWithoutIndex;
    const { blocks, file, isDamaged } = isIndexRead
      ? readIndex(this.place)
      : { blocks: seen, file: null, isDamaged: false };
    const marks = new Map(folders.map(({ folder, mark }) => [folder, mark]));
    for (const block of blocks) {
      if (block.mark === marks.get(block.folder) || !known.has(block.folder)) known.set(block.folder, block);
    }
    const kept = folders.flatMap(({ folder, mark }) => {
      const block = known.get(folder);
      return block?.mark === mark ? [block] : [];
    });
    // A reader that finds a damaged index repairs it.
    const isReplaced = isIndexRead && (isDamaged || kept.length < blocks.length);
    const added: IndexBlock[] = [];
    let saved = 0;
    for (const { folder, mark } of folders) {
      if (known.get(folder)?.mark === mark) continue;
      this.#signal?.throwIfAborted();
      const fresh = await this.#read(folder, mark);
      if (fresh !== null) added.push(fresh);
      // Whoever gives up in the middle of a large folder has not read for nothing.
      if (!isReplaced && added.length - saved === mostUnsaved) {
        appendToIndex(this.place, added.slice(saved));
        saved = added.length;
      }
    }
    if (isReplaced) replaceIndex(this.place, [...kept, ...added]);
    else if (added.length > saved) appendToIndex(this.place, added.slice(saved));
    this.#seen = [...kept, ...added];
    this.#keepOpen(file);
    const byId = new Map(this.#seen.map((block) => [block.stored.id, block]));
    return [...byId.values()]
      .map((block) => ({ block, key: `${block.stored.startedAt} ${block.stored.id} ${block.folder}` }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ block }) => block);
  }

  /** Closes every index that no block lies in, once those who have just asked for blocks have read them. */
  #keepOpen(file: IndexFile | null): void {
    const used = new Set(this.#seen?.map(({ lines }) => lines.file));
    const open = [...this.#files, ...(file === null ? [] : [file])];
    for (const one of open) if (!used.has(one)) setImmediate(() => one.close());
    this.#files = open.filter((one) => used.has(one));
  }

  async #pointIndex(): Promise<PointIndex> {
    const blocks = await this.#seenBlocks();
    if (blocks === this.#indexed) return this.#points;
    const present = new Set(blocks);
    if (!this.#points.canBecome(present)) this.#points = new PointIndex();
    this.#points.add(present);
    this.#indexed = blocks;
    return this.#points;
  }

  /** Reads a recording; `null` when it is not finished or not readable, and so not part of the history. */
  async #read(folder: string, mark: string): Promise<IndexBlock | null> {
    try {
      const { stored, points } = await readFolder({ directory: join(this.place, folder) });
      return toBlock({ folder, mark, stored }, points);
    } catch (error) {
      if (error instanceof HistoryError || error instanceof RecordError) return null;
      throw error;
    }
  }
}

/** With more new recordings than this, reading the index is faster than reading their reports. */
const mostReadWithoutIndex = 20;

/** Recordings that are read before they are written into the index together. */
const mostUnsaved = 200;

interface FinishedFolder {
  readonly folder: string;
  /** A value that changes when the report of the recording changes. */
  readonly mark: string;
}

/** The folders that hold a report, each with a value that changes when the report changes. */
function finishedFolders(place: string): readonly FinishedFolder[] {
  return readdirSync(place, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) => {
      const report = statSync(join(place, name, recordingFiles.report), { throwIfNoEntry: false });
      return report === undefined ? [] : [{ folder: name, mark: `${report.mtimeMs}-${report.size}` }];
    });
}

/** Reads all iterations, so that no table is stored that cannot be read later. */
async function checkIterations(directory: string): Promise<void> {
  for await (const chunk of iterationChunks(directory)) void chunk;
}

async function copyRecording({ directory, files, experimentText }: RecordingFolder, to: string): Promise<void> {
  for (const file of files) {
    const path = join(to, file);
    if (file === recordingFiles.experiment) await writeFile(path, experimentText);
    else {
      await makeFolder(dirname(path));
      await copyFile(join(directory, file), path, constants.COPYFILE_FICLONE);
    }
  }
}

async function idIn(path: string): Promise<string | null> {
  try {
    const text = await readFile(join(path, recordingFiles.experiment), 'utf8');
    return experimentSchema.pick({ id: true }).parse(JSON.parse(text)).id;
  } catch {
    return null;
  }
}

async function translated<Value>(
  work: Promise<Value>,
  context: { readonly path: string; readonly doing: string },
): Promise<Value> {
  try {
    return await work;
  } catch (error) {
    throw fileFailure(error, context);
  }
}
