import { RecordError } from './record-error.ts';

/** Keys and indexes from the top of a JSON text to a value in it. */
export type JsonPath = readonly PropertyKey[];

/** Where something stands in a JSON text. */
export interface JsonPosition {
  /** From 0, in UTF-16 code units. */
  readonly offset: number;
  /** `true` = the text stops being JSON there, as far as it was followed. */
  readonly broken: boolean;
  /** `true` = it was not followed further because it is nested too deeply. */
  readonly tooDeep?: true;
}

class Broken extends Error {}
class TooDeep extends Broken {}

/** Most objects and arrays inside each other that are followed; a recording needs six. */
const mostLevels = 500;

const space = /[ \t\n\r]*/y;
const string = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * Where the value at `path` begins, or its nearest ancestor that is there; in a text that is not JSON, where it stops
 * being so. Only for messages: V8's own parse errors do not always name a position.
 */
export function positionInJson(text: string, path: JsonPath = []): JsonPosition {
  let at = 0;
  let found = 0;
  let levels = 0;

  function match(pattern: RegExp): string {
    pattern.lastIndex = at;
    const [matched] = pattern.exec(text) ?? [];
    if (matched === undefined) throw new Broken();
    at += matched.length;
    return matched;
  }
  function expect(character: string): void {
    if (text[at] !== character) throw new Broken();
    at += 1;
    match(space);
  }
  /** `rest`: what remains of the path below this value; `null` = the value is off the path. */
  function below(rest: JsonPath | null, key: PropertyKey): JsonPath | null {
    return rest !== null && rest.length > 0 && rest[0] === key ? rest.slice(1) : null;
  }

  function members(close: string, member: (index: number) => void): void {
    at += 1;
    match(space);
    for (let index = 0; text[at] !== close; index += 1) {
      if (index > 0) expect(',');
      member(index);
    }
    expect(close);
  }
  function value(rest: JsonPath | null): void {
    if (rest !== null) found = at;
    if ((text[at] === '{' || text[at] === '[') && ++levels > mostLevels) throw new TooDeep();
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
      return;
    }
    levels -= 1;
  }

  try {
    match(space);
    value(path);
    if (at < text.length) throw new Broken();
    return { offset: found, broken: false };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { offset: at, broken: true, ...(error instanceof TooDeep ? { tooDeep: true } : {}) };
  }
}

/** A JSON text of a recording that cannot be used. */
interface MalformedText {
  /** File that the text is from. */
  readonly file: string;
  /** Line of the file at which the text begins, from 1. */
  readonly firstLine: number;
  readonly text: string;
  /** The error in a value; left out when the text is not JSON. */
  readonly issue?: { readonly path: JsonPath; readonly message: string };
  readonly advice: string;
  readonly cause?: unknown;
}

/** The error `MALFORMED` with file, line and column of the trouble, and the value that it is about. */
export function malformed({ file, firstLine, text, issue, advice, cause }: MalformedText): RecordError {
  const { offset, broken, tooDeep = false } = positionInJson(text, issue?.path);
  const before = text.slice(0, offset).split('\n');
  const line = firstLine + before.length - 1;
  const column = Array.from(before.at(-1) ?? '').length + 1;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.map(String).join('.')}`;
  const what = tooDeep
    ? `more than ${mostLevels} objects and arrays stand inside each other`
    : broken || issue === undefined
      ? offset >= text.length
        ? 'the JSON ends too early'
        : 'this is not JSON'
      : `${issue.message}${where}`;
  return new RecordError('MALFORMED', `${file}:${line}:${column}: ${what}. ${advice}`, {
    path: file,
    line,
    column,
    ...(cause === undefined ? {} : { cause }),
  });
}
