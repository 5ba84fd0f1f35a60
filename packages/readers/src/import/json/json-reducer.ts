import type { JsonEvents } from './json-tokenizer.ts';

/** Keys and indexes from the top of a JSON text. */
export type JsonPath = readonly (string | number)[];

/**
 * Takes the content of one array or object instead of having it built, from after its opening to before its closing
 * bracket; what `finish` gives stands in the tree in its place.
 */
export interface JsonReducer extends JsonEvents {
  readonly finish: () => unknown;
}

/** Decides whether the array or object that opens at a path is reduced; the path is only good during the call. */
export type ChooseReducer = (path: JsonPath, kind: 'object' | 'array') => JsonReducer | null;

/** Whether the value of a key is kept; the path ends with the key and is only good during the call. */
export type WantedParts = (path: JsonPath) => boolean;
