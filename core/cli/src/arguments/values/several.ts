/** Parser of an option that may be given several times: the values in order. */
export function several<Value>(
  parse: (value: string) => Value,
): (value: string, before?: readonly Value[]) => readonly Value[] {
  return (value, before = []) => [...before, parse(value)];
}
