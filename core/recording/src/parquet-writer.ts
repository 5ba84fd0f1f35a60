import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';

/** A flat column; `int64` takes whole numbers. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: 'text' | 'int32' | 'int64' | 'double';
  readonly nullable: boolean;
}

export type ParquetValue = string | number | null;

/** What a Parquet file is made of. */
export interface ParquetTable {
  readonly columns: readonly ParquetColumn[];
  /** Rows as values in the columns' order. */
  readonly rows: Iterable<readonly ParquetValue[]>;
  readonly rowsPerGroup: number;
  readonly metadata: Readonly<Record<string, string>>;
  /** Takes the file's bytes, in order; a chunk may be reused once the promise is fulfilled. */
  readonly write: (chunk: Uint8Array) => Promise<void>;
}

/** Writes a Parquet file row group by row group; holds one row group at a time. The only user of hyparquet-writer. */
export async function writeParquet({ columns, rows, rowsPerGroup, metadata, write }: ParquetTable): Promise<void> {
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
  { rows, rowsPerGroup }: Pick<ParquetTable, 'rows' | 'rowsPerGroup'>,
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
