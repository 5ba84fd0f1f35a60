import { positionInJson } from '../json-position.ts';

/** What may be left of a string, a number or a word that was cut. */
const cutToken = /^(?:"[^]*|-?[\d.eE+-]*|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/;

/** Longer or deeply nested lines would exhaust the stack; they count as cut when they begin as an object. */
const searchableCharacters = 100_000;

/**
 * Whether a last line that is not JSON is what a killed writer leaves: the beginning of an object, or zero bytes,
 * which is how a block that never reached the device reads after a power failure.
 */
export const isTorn = (text: string): boolean => {
  if (text.includes('\0')) return true;
  if (!text.startsWith('{')) return false;
  if (text.length > searchableCharacters) return true;
  try {
    return cutToken.test(text.slice(positionInJson(text).offset));
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
};
