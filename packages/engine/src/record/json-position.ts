/** Keys and indexes from the top of a JSON text to a value in it. */
export type JsonPath = readonly PropertyKey[];

/** Where something stands in a JSON text. */
export interface JsonPosition {
  /** From 0, in UTF-16 code units. */
  readonly offset: number;
  /** Whether the text stops being JSON there. */
  readonly broken: boolean;
}

class Broken extends Error {}

const space = /[ \t\n\r]*/y;
const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Where the value at `path` begins, or its nearest ancestor that is there; in a text that is not JSON, where it stops
 * being so. Only for messages: V8's own parse errors do not always tell a position.
 */
export const positionInJson = (text: string, path: JsonPath = []): JsonPosition => {
  let at = 0;
  let found = 0;

  const match = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [matched] = pattern.exec(text) ?? [];
    if (matched === undefined) throw new Broken();
    at += matched.length;
    return matched;
  };
  const expect = (character: string): void => {
    if (text[at] !== character) throw new Broken();
    at += 1;
    match(space);
  };
  /** `rest`: what remains of the path below this value; `null` = the value is off the path. */
  const below = (rest: JsonPath | null, key: PropertyKey): JsonPath | null =>
    rest !== null && rest.length > 0 && rest[0] === key ? rest.slice(1) : null;

  const members = (close: string, member: (index: number) => void): void => {
    at += 1;
    match(space);
    for (let index = 0; text[at] !== close; index += 1) {
      if (index > 0) expect(',');
      member(index);
    }
    expect(close);
  };
  const value = (rest: JsonPath | null): void => {
    if (rest !== null) found = at;
    if (text[at] === '{') {
      members('}', () => {
        const key: unknown = JSON.parse(match(string));
        match(space);
        expect(':');
        value(below(rest, String(key)));
      });
    } else if (text[at] === '[') {
      members(']', (index) => value(below(rest, index)));
    } else {
      match(text[at] === '"' ? string : scalar);
      match(space);
    }
  };

  try {
    match(space);
    value(path);
    if (at < text.length) throw new Broken();
    return { offset: found, broken: false };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { offset: at, broken: true };
  }
};
