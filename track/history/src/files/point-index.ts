import type { HistoryPoint, MetricName, PointFilter, SeriesName } from '../history.ts';
import { inOrder, isWanted, keyInTime, seriesKey } from '../points.ts';
import { fromFields, metricNamesIn, type PointFields } from '../recording/point-fields.ts';
import { endOfFields, type IndexBlock, metricsIn, pointOf } from './index-file.ts';

const lineFeed = 10;
/** A place is the number of its block times this, plus the byte where its line begins in that block. */
const placesInBlock = 2 ** 32;

/** Bytes of the fields of a point, more than most have. */
const usualFields = 256;

/** The points of one series. */
interface IndexedSeries {
  readonly key: string;
  readonly first: HistoryPoint;
  /** Ascending. */
  readonly places: number[];
  newestPlace: number;
  /** Key in time of the newest point. */
  newestKey: string;
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
    const points: HistoryPoint[] = [];
    for (const place of this.#places(filter)) {
      const { lines, stored } = this.#blockAt(place);
      const line = lines.lineAt(place % placesInBlock, filter.metric === undefined ? 'fields' : 'all');
      const point = pointOf(line, { stored, metric: filter.metric });
      if (point !== null) points.push(point);
    }
    return points;
  }

  /**
   * The points of each of these series, in the order of their commits. Every block is read once for all of them, before this returns; the lines
   * are parsed series by series, so that only those of one are objects at a time.
   */
  pointsOf(names: readonly SeriesName[]): Iterable<readonly HistoryPoint[]> {
    const wanted = names.map((name) => {
      const places = this.#series.get(seriesKey(name))?.places ?? [];
      return { places, starts: new Float64Array(places.length), found: 0 };
    });
    const count = wanted.reduce((sum, { places }) => sum + places.length, 0);
    let copied = Buffer.allocUnsafe(count * usualFields);
    let length = 0;
    for (const [number, { lines }] of this.#blocks.entries()) {
      const base = number * placesInBlock;
      let bytes: Buffer | null = null;
      for (const one of wanted) {
        for (let place = 0; (place = one.places[one.found] ?? Infinity) < base + placesInBlock; one.found += 1) {
          bytes ??= lines.bytes();
          const end = endOfFields(bytes, place - base);
          const most = length + end - place + base;
          if (most > copied.length) copied = Buffer.concat([copied], 2 * most);
          one.starts[one.found] = length;
          length += bytes.copy(copied, length, place - base, end);
        }
      }
    }
    return this.#parsed(wanted, copied);
  }

  *#parsed(
    wanted: readonly { readonly places: readonly number[]; readonly starts: Float64Array }[],
    copied: Buffer,
  ): Iterable<readonly HistoryPoint[]> {
    for (const { places, starts } of wanted) {
      yield inOrder(
        places.map((place, at) => {
          const from = starts[at] ?? 0;
          return pointFrom(copied.toString('utf8', from, endOfFields(copied, from)), this.#blockAt(place));
        }),
      );
    }
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
      const bytes = `${lines.toString('latin1', from, endOfName(lines, from))}${stored.project}`;
      const place = base + from;
      const series = this.#byBytes.get(bytes) ?? this.#seriesAt(place, { bytes, key });
      series.places.push(place);
      if (key >= series.newestKey) {
        series.newestKey = key;
        series.newestPlace = place;
      }
    }
  }

  #seriesAt(place: number, { bytes, key: newestKey }: { readonly bytes: string; readonly key: string }): IndexedSeries {
    const first = this.#pointAt(place);
    const key = seriesKey(first);
    const series = this.#series.get(key) ?? { key, first, places: [], newestPlace: place, newestKey };
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
    const block = this.#blockAt(place);
    return pointFrom(block.lines.lineAt(place % placesInBlock, 'fields'), block);
  }
}

function pointFrom(fields: string, { stored }: IndexBlock): HistoryPoint {
  return fromFields(JSON.parse(fields) as PointFields, stored);
}

const [quote, backslash, comma, open, close] = Buffer.from('"\\,{}');

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
