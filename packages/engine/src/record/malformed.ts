import { positionInJson, type JsonPath } from './json-position.ts';
import { RecordError } from './record-error.ts';

/** A JSON text of a recording that cannot be used. */
export interface MalformedText {
  /** File that the text is from. */
  readonly file: string;
  /** Line of the file at which the text begins, from 1. */
  readonly firstLine: number;
  readonly text: string;
  /** What is wrong with a value; left out when the text is not JSON. */
  readonly issue?: { readonly path: JsonPath; readonly message: string };
  readonly advice: string;
  readonly cause?: unknown;
}

/** The error `MALFORMED` with file, line and column of the trouble, and the value that it is about. */
export const malformed = ({ file, firstLine, text, issue, advice, cause }: MalformedText): RecordError => {
  const { offset, broken } = positionInJson(text, issue?.path);
  const before = text.slice(0, offset).split('\n');
  const line = firstLine + before.length - 1;
  const column = Array.from(before.at(-1) ?? '').length + 1;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.map(String).join('.')}`;
  const what =
    broken || issue === undefined
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
};
