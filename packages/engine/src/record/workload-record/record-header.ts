import type { Params } from '@deadheat/model';
import type { JsonPath } from '../json-position.ts';

/** Version of the record that this reader knows. */
export const recordVersion = 1;

/** The line that begins a benchmark. */
export interface RecordHeader {
  readonly benchmark: string;
  /** Values as text: numbers and truth values are written out. */
  readonly params: Params;
  /** Unknown keys, as the workload wrote them. */
  readonly further: Readonly<Record<string, unknown>>;
}

export interface HeaderIssue {
  readonly path: JsonPath;
  readonly message: string;
}

/** Whether a JSON value claims to begin a benchmark. */
export const isHeader = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, 'deadheat');

/** Checks the keys of a header of version {@link recordVersion}. */
export const parseHeader = (value: Readonly<Record<string, unknown>>): RecordHeader | HeaderIssue => {
  const { deadheat: _, benchmark, params: given = {}, ...further } = value;
  if (typeof benchmark !== 'string' || benchmark === '') {
    return { path: ['benchmark'], message: 'expected the name of the benchmark' };
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { path: ['params'], message: 'expected an object of parameters' };
  }
  const params: Record<string, string> = {};
  for (const [name, param] of Object.entries(given) as [string, unknown][]) {
    if (typeof param !== 'string' && typeof param !== 'number' && typeof param !== 'boolean') {
      return { path: ['params', name], message: 'expected a text, a number, true or false' };
    }
    params[name] = String(param);
  }
  return { benchmark, params, further };
};
