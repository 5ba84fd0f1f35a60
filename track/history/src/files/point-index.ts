import type { HistoryPoint, MetricName, PointFilter, SeriesName } from '../history.ts';
import { inOrder, isWanted, keyInTime, seriesKey } from '../points.ts';
import { fromFields, metricNamesIn, type PointFields } from '../recording/point-fields.ts';
import { type IndexBlock, metricsIn, pointOf } from './index-file.ts';

type FieldsBehindName = PointFields extends readonly [unknown, unknown, unknown, ...infer Rest] ? Rest : never;

const tab = 9;
const lineFeed = 10;
/** A place is the number of its block times this, plus the byte where its line begins in that block. */
const placesInBlock = 2 ** 32;

/** Bytes of the fields of a point behind the name of its series, more than most have. */
const usualFields = 160;

/** The points of one series. */
interface IndexedSeries {
  readonly key: string;
  readonly first: HistoryPoint;
  /** The bytes with which the line of `first` begins: benchmark, parameters and method. */
  readonly name: Buffer;
  /** Ascending. */
  readonly places: number[];
  newestPlace: number;
  /** Key in time of the newest point. */
  newestKey: string;
  /** That of the line behind its last one. */
  next: IndexedSeries | null;
}

/**
 * Where the points of every series lie in the blocks of a folder's index. A point costs eight bytes here beside its line, and is parsed only
 * when it is asked for.
 */
export class PointIndex {
  readonly #blocks: IndexBlock[] = [];
  readonly #known = new Set<IndexBlock>();
  readonly #series = new Map<string, IndexedSeries>();
  /** The same series by project and the bytes with which their lines begin, so that most lines need not be parsed. */
  readonly #byBytes = new Map<string, IndexedSeries>();
  /** That of the line that was added last. */
  #last: IndexedSeries | null = null;
  /** For lines that are read together: memory that is new costs more than the copy. */
  #spare: Buffer = Buffer.alloc(0);

  /** Checks whether blocks can be added so that exactly these are held; otherwise another index has to be made. */
  canBecome(blocks: ReadonlySet<IndexBlock>): boolean {
    return this.#blocks.every((block) => blocks.has(block));
  }

  /** Adds the blocks that are not held yet. */
  add(blocks: Iterable<IndexBlock>): void {
    for (const block of blocks) if (!this.#known.has(block)) this.#addBlock(block);
  }

  /** The newest point of every series that fits, in the order of the series. */
  newest(filter: PointFilter): readonly HistoryPoint[] {
    return [...this.#series.values()]
      .filter(({ first }) => isWanted(first, filter))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ newestPlace }) => this.#pointAt(newestPlace));
  }

  /** Every point that fits, in the order in which they were added. */
  points(filter: PointFilter): readonly HistoryPoint[] {
    return this.#places(filter).flatMap((place) => {
      const { lines, stored } = this.#blockAt(place);
      const line = lines.lineAt(place % placesInBlock, filter.metric === undefined ? 'fields' : 'all');
      return pointOf(line, { stored, metric: filter.metric }) ?? [];
    });
  }

  /**
   * The points of each of these series, in the order of their commits. Every block is read once for all of them, before this returns; the lines
   * are parsed series by series and without the name, so that only those of one are objects at a time.
   */
  pointsOf(names: readonly SeriesName[]): Iterable<readonly HistoryPoint[]> {
    const wanted = names.map((name) => {
      const places = this.#series.get(seriesKey(name))?.places ?? [];
      return { name, places, starts: new Float64Array(places.length), found: 0 };
    });
    const count = wanted.reduce((sum, { places }) => sum + places.length, 0);
    let copied = this.#spare.length < count * usualFields ? Buffer.allocUnsafe(count * usualFields) : this.#spare;
    this.#spare = Buffer.alloc(0);
    let length = 0;
    for (const [number, { lines }] of this.#blocks.entries()) {
      const base = number * placesInBlock;
      let bytes: Buffer | null = null;
      for (const one of wanted) {
        for (let place = 0; (place = one.places[one.found] ?? Infinity) < base + placesInBlock; one.found += 1) {
          bytes ??= lines.bytes();
          const from = endOfName(bytes, place - base);
          const end = bytes.indexOf(tab, from) + 1;
          const most = length + end - from;
          if (most > copied.length) copied = Buffer.concat([copied], 2 * most);
          one.starts[one.found] = length;
          bytes.copy(copied, length, from, end);
          // The comma becomes the beginning of an array.
          copied[length] = openArray;
          length = most;
        }
      }
    }
    return this.#parsed(wanted, copied);
  }

  *#parsed(
    wanted: readonly { readonly name: SeriesName; readonly places: readonly number[]; readonly starts: Float64Array }[],
    copied: Buffer,
  ): Iterable<readonly HistoryPoint[]> {
    for (const { name, places, starts } of wanted) {
      yield inOrder(
        places.map((place, at) => {
          const from = starts[at] ?? 0;
          const fields = JSON.parse(copied.toString('utf8', from, copied.indexOf(tab, from))) as FieldsBehindName;
          return fromFields([name.benchmark, name.params, name.method, ...fields], this.#blockAt(place).stored);
        }),
      );
    }
    this.#spare = copied;
  }

  /** The metrics of every point that fits. */
  metrics(filter: PointFilter): readonly MetricName[] {
    return metricNamesIn(
      this.#places(filter).map((place) => {
        const line = this.#blockAt(place).lines.lineAt(place % placesInBlock, 'all');
        const { metric } = this.#pointAt(place);
        return { metric, others: metricsIn(line).map(([name, unit]) => ({ name, unit })) };
      }),
    );
  }

  /** The places of every point that fits, whatever its metrics, ascending. */
  #places(filter: PointFilter): readonly number[] {
    const { experiments, ...ofSeries } = filter;
    const wanted = experiments === undefined ? null : new Set(experiments);
    const places: number[] = [];
    for (const { first, places: own } of this.#series.values()) {
      if (!isWanted(first, ofSeries)) continue;
      for (const place of own) if (wanted?.has(this.#blockAt(place).stored.id) !== false) places.push(place);
    }
    return places.toSorted((a, b) => a - b);
  }

  #addBlock(block: IndexBlock): void {
    const { stored } = block;
    const lines = block.lines.bytes();
    const base = this.#blocks.length * placesInBlock;
    this.#blocks.push(block);
    this.#known.add(block);
    const key = keyInTime({ ...stored, experiment: stored.id });
    for (let from = 0; from < lines.length; from = lines.indexOf(lineFeed, from) + 1) {
      const place = base + from;
      // The lines of most blocks are of the same series in the same order.
      const usual = this.#last?.next ?? null;
      const isUsual =
        usual?.first.project === stored.project &&
        usual.name.compare(lines, from, Math.min(lines.length, from + usual.name.length)) === 0;
      const series = isUsual ? usual : this.#seriesAt(place, lines);
      if (this.#last !== null) this.#last.next = series;
      this.#last = series;
      series.places.push(place);
      if (key >= series.newestKey) {
        series.newestKey = key;
        series.newestPlace = place;
      }
    }
  }

  #seriesAt(place: number, lines: Buffer): IndexedSeries {
    const from = place % placesInBlock;
    const name = lines.subarray(from, endOfName(lines, from));
    const bytes = `${name.toString('latin1')}${this.#blockAt(place).stored.project}`;
    const known = this.#byBytes.get(bytes);
    if (known !== undefined) return known;
    const first = this.#pointAt(place);
    const key = seriesKey(first);
    const fresh = { key, first, name: Buffer.from(name), places: [], newestPlace: place, newestKey: '', next: null };
    const series = this.#series.get(key) ?? fresh;
    this.#series.set(key, series);
    this.#byBytes.set(bytes, series);
    return series;
  }

  #blockAt(place: number): IndexBlock {
    const block = this.#blocks[Math.floor(place / placesInBlock)];
    if (block === undefined) throw new RangeError(`there is no block at ${place}`);
    return block;
  }

  #pointAt(place: number): HistoryPoint {
    const { lines, stored } = this.#blockAt(place);
    return fromFields(JSON.parse(lines.lineAt(place % placesInBlock, 'fields')) as PointFields, stored);
  }
}

const [quote, backslash, comma, open, close, openArray = 0] = Buffer.from('"\\,{}[');

/** Where the benchmark, its parameters and the method end in a line that begins at `from`. */
function endOfName(lines: Buffer, from: number): number {
  let fields = 0;
  let depth = 0;
  let isText = false;
  for (let at = from + 1; at < lines.length; at += 1) {
    const byte = lines[at];
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === open) depth += 1;
    else if (byte === close) depth -= 1;
    else if (byte === comma && depth === 0 && (fields += 1) === 3) return at;
  }
  return lines.length;
}
