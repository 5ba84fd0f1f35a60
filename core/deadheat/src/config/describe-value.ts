/** A value of a file in words that fit behind `not`. */
export function describeValue(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
