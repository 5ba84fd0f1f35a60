import { once } from 'node:events';
import type { Client } from 'pg';
import { from } from 'pg-copy-streams';
import { copyHeader, copyTrailer } from './binary-rows.ts';

/** Sends rows, already in binary form, into a table as part of the open transaction; holds no more than one piece. */
export const copyRows = async (
  client: Client,
  { into, pieces }: { readonly into: string; readonly pieces: AsyncIterable<Buffer> | Iterable<Buffer> },
): Promise<void> => {
  const stream = client.query(from(`copy ${into} from stdin (format binary)`));
  let refusal: unknown = null;
  const ended = new Promise<void>((resolve, reject) => {
    stream.once('finish', resolve);
    stream.once('error', (error) => {
      refusal = error;
      reject(error);
    });
  });
  // It is awaited below; a piece that cannot be made must not leave it unheard.
  ended.catch(() => undefined);
  const send = async (piece: Buffer): Promise<void> => {
    if (refusal !== null) return ended;
    if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), ended]);
  };
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
};
