/**
 * A JSON value as an object; `what` names it in the error.
 *
 * @throws TypeError for anything else
 */
export function jsonRecord(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new TypeError(`${what} is no object`);
}
