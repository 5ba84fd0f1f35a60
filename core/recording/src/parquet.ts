import { open } from 'node:fs/promises';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';

/** A file that is read at any place. */
export interface RandomAccess {
  readonly byteLength: number;
  readonly slice: (start: number, end?: number) => Promise<ArrayBuffer>;
  readonly close: () => Promise<void>;
}

/** Opens a file on a disk. Errors are the system's own. */
export async function openFile(path: string): Promise<RandomAccess> {
  const handle = await open(path, 'r');
  const { size } = await handle.stat();
  async function slice(start: number, end: number = size): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(Math.max(0, Math.min(end, size) - start));
    await handle.read(bytes, 0, bytes.length, start);
    return bytes.buffer;
  }
  return { byteLength: size, slice, close: () => handle.close() };
}

type Column = ArrayLike<unknown>;

/** Consecutive rows of a table, column by column. */
export interface RowGroup {
  readonly rows: number;
  /** Values of a column; `null` = it was not read. */
  readonly column: (name: string) => Column | null;
}

/** A flat table in a Parquet file. */
export interface ParquetTable {
  /** Names of the columns, in their order. */
  readonly names: readonly string[];
  /** Key-value metadata of the file. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Reads these columns, a row group at a time. */
  readonly groups: (columns: readonly string[]) => AsyncGenerator<RowGroup>;
}

/** Rows that are decoded at once; deadheat writes 20 000. */
const mostRowsInGroup = 2 ** 24;

/** Reads the footer of a Parquet file. Errors are the system's and the library's own. The only user of hyparquet. */
export async function openTable(file: RandomAccess): Promise<ParquetTable> {
  const { parquetMetadataAsync, parquetRead } = await import('hyparquet');
  const footer = await parquetMetadataAsync(file);

  async function* groups(columns: readonly string[]): AsyncGenerator<RowGroup> {
    let rowStart = 0;
    for (const { num_rows } of footer.row_groups) {
      const rows = Number(num_rows);
      if (!(rows >= 0 && rows <= mostRowsInGroup)) throw new RangeError(`a group of ${rows} rows`);
      const rowEnd = rowStart + rows;
      const pages = new Map(columns.map((name) => [name, [] as { readonly at: number; readonly data: Column }[]]));
      await parquetRead({
        file,
        metadata: footer,
        columns: [...pages.keys()],
        rowStart,
        rowEnd,
        onChunk: ({ columnName, columnData, rowStart: at }) => pages.get(columnName)?.push({ at, data: columnData }),
      });
      const joined = new Map(Array.from(pages, ([name, parts]) => [name, join(parts)]));
      for (const [name, { length }] of joined) {
        if (length !== rows) throw new RangeError(`column ${name} lacks rows`);
      }
      yield { rows, column: (name) => joined.get(name) ?? null };
      rowStart = rowEnd;
    }
  }

  return {
    names: footer.schema.slice(1).map(({ name }) => name),
    metadata: new Map((footer.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ''])),
    groups,
  };
}

/** Joins the pages of a column to one array. */
function join(pages: readonly { readonly at: number; readonly data: Column }[]): Column {
  const [first, ...more] = pages.toSorted((one, other) => one.at - other.at);
  if (first === undefined) return [];
  if (more.length === 0) return first.data;
  const all: unknown[] = [];
  for (const { data } of [first, ...more]) for (let row = 0; row < data.length; row += 1) all.push(data[row]);
  return all;
}

/** A flat column; `int64` takes whole numbers. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: 'text' | 'int32' | 'int64' | 'double';
  readonly nullable: boolean;
}

type ParquetValue = string | number | null;

/** Content of a Parquet file that is written. */
interface ParquetContent {
  readonly columns: readonly ParquetColumn[];
  /** Rows as values in the columns' order. */
  readonly rows: Iterable<readonly ParquetValue[]>;
  readonly rowsPerGroup: number;
  readonly metadata: Readonly<Record<string, string>>;
  /** Takes the file's bytes, in order; a chunk may be reused once the promise is fulfilled. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
}

/** Writes a Parquet file row group by row group; holds one row group at a time. The only user of hyparquet-writer. */
export async function writeParquet({ columns, rows, rowsPerGroup, metadata, write }: ParquetContent): Promise<void> {
  const bytes = new ByteWriter();
  const parquet = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(schemaElement)],
    kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
    createdBy: 'deadheat',
  });
  async function drain(): Promise<void> {
    await write(bytes.getBytes());
    bytes.index = 0;
  }
  for (const group of columnGroups(columns, { rows, rowsPerGroup })) {
    const columnData = columns.map(({ name, type }, index) => ({ name, data: group[index] ?? [], ...encoding(type) }));
    await parquet.write({ columnData, rowGroupSize: rowsPerGroup });
    await drain();
  }
  await parquet.finish();
  await drain();
}

/** Rows turned into columns, one row group after another. */
function* columnGroups(
  columns: readonly ParquetColumn[],
  { rows, rowsPerGroup }: Pick<ParquetContent, 'rows' | 'rowsPerGroup'>,
): Generator<(string | number | bigint | null)[][]> {
  function empty(): (string | number | bigint | null)[][] {
    return columns.map(() => []);
  }
  const isLong = columns.map(({ type }) => type === 'int64');
  let group = empty();
  let length = 0;
  for (const row of rows) {
    for (let index = 0; index < columns.length; index += 1) {
      const value = row[index] ?? null;
      group[index]?.push(isLong[index] === true && value !== null ? BigInt(value) : value);
    }
    length += 1;
    if (length === rowsPerGroup) {
      yield group;
      group = empty();
      length = 0;
    }
  }
  if (length > 0) yield group;
}

/** Clock readings and durations seldom repeat, so a dictionary is not worth the try; differences pack well. */
function encoding(type: ParquetColumn['type']): { readonly encoding?: 'DELTA_BINARY_PACKED' | 'PLAIN' } {
  return type === 'int64' ? { encoding: 'DELTA_BINARY_PACKED' } : type === 'double' ? { encoding: 'PLAIN' } : {};
}

function schemaElement({ name, type, nullable }: ParquetColumn): SchemaElement {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  switch (type) {
    case 'text':
      return { name, repetition_type, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
    case 'int32':
      return { name, repetition_type, type: 'INT32' };
    case 'int64':
      return { name, repetition_type, type: 'INT64' };
    case 'double':
      return { name, repetition_type, type: 'DOUBLE' };
  }
}
