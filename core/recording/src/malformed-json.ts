import { RecordError } from './record-error.ts';

/** Keys and indexes from the top of a JSON text to a value in it. */
export type JsonPath = readonly PropertyKey[];

/** A place in a JSON text. */
interface JsonPosition {
  /** From 0, in UTF-16 code units. */
  readonly offset: number;
  /** The reason why the text stops being JSON there; `null` = it is JSON. */
  readonly error: string | null;
}

/** An object or array that is not closed yet. */
interface OpenValue {
  readonly close: '}' | ']';
  /** Parts of the path that lead to it; -1 = it is off the path. */
  readonly depth: number;
  /** Index of the last value of an array. */
  index: number;
}

const space = /[ \t\n\r]*/y;
const strings = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*"/.source;
const scalars = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|true\b|false\b|null\b/.source;
const token = new RegExp(`${strings}|${scalars}`, 'y');
const tokenOrNotFinite = new RegExp(`${strings}|${scalars}|-?(?:NaN|nan|Infinity|inf)\\b`, 'y');

/**
 * Position of the value at `path`, or of its nearest ancestor that is there; in a text that is not JSON, the place where it stops being so.
 * It is for messages: errors of `JSON.parse` do not always name a position.
 *
 * @param options.notFinite `NaN`, `Infinity`, `nan` and `inf`, also with a minus, are numbers.
 */
export function positionInJson(
  text: string,
  { path = [], notFinite = false }: { readonly path?: JsonPath; readonly notFinite?: boolean } = {},
): JsonPosition {
  const scalar = notFinite ? tokenOrNotFinite : token;
  const open: OpenValue[] = [];
  let at = 0;
  let found = 0;
  /** Parts of the path that lead to the next value; -1 = it is off the path. */
  let depth = 0;
  let expected: 'value' | 'key' | ':' | 'end' = 'value';
  let isFirst = false;

  function toMember({ depth: above }: OpenValue, key: PropertyKey): void {
    depth = path[above] === key ? above + 1 : -1;
  }

  for (;;) {
    space.lastIndex = at;
    space.test(text);
    at = space.lastIndex;
    const char = text[at] ?? '';
    const around = open.at(-1);
    const closes = char === around?.close && (isFirst || expected === 'end');
    isFirst = false;
    if (expected === 'end' && around === undefined) {
      return char === ''
        ? { offset: found, error: null }
        : { offset: at, error: `expected the end of the JSON, found ${shown(char)}` };
    }
    if (char === '') return { offset: at, error: endsTooEarly };
    if (closes) {
      open.pop();
      expected = 'end';
      at += 1;
    } else if (expected === 'end') {
      if (char !== ',') return { offset: at, error: `expected ',' or '${around?.close}', found ${shown(char)}` };
      expected = around?.close === '}' ? 'key' : 'value';
      if (around?.close === ']') toMember(around, (around.index += 1));
      at += 1;
    } else if (expected === ':') {
      if (char !== ':') return { offset: at, error: `expected ':' after a key, found ${shown(char)}` };
      expected = 'value';
      at += 1;
    } else if (expected === 'value' && (char === '{' || char === '[')) {
      if (depth >= 0) found = at;
      const value: OpenValue = { close: char === '{' ? '}' : ']', depth, index: 0 };
      open.push(value);
      toMember(value, 0);
      expected = char === '{' ? 'key' : 'value';
      isFirst = true;
      at += 1;
    } else {
      scalar.lastIndex = at;
      const isKey: boolean = expected === 'key';
      if ((isKey && char !== '"') || !scalar.test(text)) return { offset: at, error: describeToken(char, isKey) };
      if (isKey && around !== undefined) toMember(around, JSON.parse(text.slice(at, scalar.lastIndex)) as string);
      else if (depth >= 0) found = at;
      expected = isKey ? ':' : 'end';
      at = scalar.lastIndex;
    }
  }
}

const endsTooEarly = 'the JSON ends too early';

function describeToken(char: string, isKey: boolean): string {
  if (char === '"')
    return 'a text in quotes that does not end, or holds a line break, a control character or an unknown escape';
  if (!isKey && /[-\d]/.test(char)) return 'a number that is not as JSON has them';
  return `expected ${isKey ? 'a key in double quotes' : 'a value'}, found ${shown(char)}`;
}

function shown(char: string): string {
  return /[!-~]/.test(char) ? `'${char}'` : `character ${char.charCodeAt(0)}`;
}

/** A JSON text of a recording that cannot be used. */
export interface MalformedText {
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
  const { offset, error } = positionInJson(text, { path: issue?.path ?? [] });
  const before = text.slice(0, offset).split('\n');
  const line = firstLine + before.length - 1;
  const column = Array.from(before.at(-1) ?? '').length + 1;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.map(String).join('.')}`;
  const notJson = error === endsTooEarly ? error : `this is not JSON${error === null ? '' : `: ${error}`}`;
  const what = error === null && issue !== undefined ? `${issue.message}${where}` : notJson;
  return new RecordError('MALFORMED', `${file}:${line}:${column}: ${what}. ${advice}`, {
    path: file,
    line,
    column,
    ...(cause === undefined ? {} : { cause }),
  });
}
