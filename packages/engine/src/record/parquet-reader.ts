import { open } from 'node:fs/promises';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';

/** A Parquet file read whole. */
export interface ParquetContent {
  /** Key-value metadata of the file. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Rows by column name, as the library decodes them. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** Reads a Parquet file. The only user of hyparquet. Errors are the system's or the library's own. */
export const readParquet = async (path: string): Promise<ParquetContent> => {
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
    return { metadata, rows: await parquetReadObjects({ file, metadata: footer }) };
  } finally {
    await handle.close();
  }
};
