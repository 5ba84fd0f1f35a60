/** A parameter's value as the record has it: texts as they are, objects as JSON, functions by their name. */
export function parameterText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'function') return value.name;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return String(value);
}
