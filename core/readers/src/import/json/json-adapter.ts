import type { Adapter, Reading, ReadOptions } from '../adapter.ts';
import type { ImportSource } from '../import-source.ts';
import { type JsonNode, readJson } from './read-json.ts';

/** An adapter of JSON files. `advice` is the last sentence of every message about the content. */
export function jsonAdapter({
  advice,
  read,
  ...facts
}: Omit<Adapter, 'read'> & {
  readonly advice: string;
  readonly read: (root: JsonNode, source: ImportSource, options: ReadOptions) => Reading;
}): Adapter {
  return { ...facts, read: async (source, options) => read(await readJson(source, { advice }), source, options) };
}
