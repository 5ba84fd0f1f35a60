import { open } from 'node:fs/promises';
import { parquetMetadataAsync, parquetRead, type DecodedArray } from 'hyparquet';

/** Some consecutive rows of a Parquet file, column by column. */
export interface RowGroup {
  readonly rows: number;
  /** Key-value metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Values of a column; `null` = the file has no such column. */
  readonly column: (name: string) => DecodedArray | null;
}

/** Reads a Parquet file, one row group at a time; the columns that `wants` refuses are not read. The only user of hyparquet. */
export async function* readRowGroups(
  path: string,
  { wants = () => true }: { readonly wants?: (column: string) => boolean } = {},
): AsyncGenerator<RowGroup> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const file = {
      byteLength: size,
      slice: async (start: number, end: number = size): Promise<ArrayBuffer> => {
        const chunk = new ArrayBuffer(Math.max(0, end - start));
        await handle.read(new Uint8Array(chunk), 0, chunk.byteLength, start);
        return chunk;
      },
    };
    const footer = await parquetMetadataAsync(file);
    const metadata = Object.fromEntries((footer.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? '']));
    const columns = footer.schema
      .slice(1)
      .map(({ name }) => name)
      .filter(wants);
    let rowStart = 0;
    for (const { num_rows } of footer.row_groups) {
      const rows = Number(num_rows);
      const rowEnd = rowStart + rows;
      const pieces = new Map<string, { readonly at: number; readonly data: DecodedArray }[]>();
      await parquetRead({
        file,
        metadata: footer,
        columns,
        rowStart,
        rowEnd,
        onChunk: ({ columnName, columnData, rowStart: at }) => {
          const found = pieces.get(columnName);
          if (found === undefined) pieces.set(columnName, [{ at, data: columnData }]);
          else found.push({ at, data: columnData });
        },
      });
      const joined = new Map([...pieces].map(([name, parts]) => [name, join(parts)]));
      yield { rows, metadata, column: (name) => joined.get(name) ?? null };
      rowStart = rowEnd;
    }
  } finally {
    await handle.close();
  }
}

/** One array of the pages of a column. */
const join = (parts: readonly { readonly at: number; readonly data: DecodedArray }[]): DecodedArray => {
  const [only, ...more] = parts.toSorted((a, b) => a.at - b.at);
  if (only === undefined) return [];
  if (more.length === 0) return only.data;
  const all: unknown[] = [];
  for (const { data } of [only, ...more]) for (const value of data) all.push(value);
  return all;
};
