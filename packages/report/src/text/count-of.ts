/** `1 run`, `40 runs`, `10 000 replicates`: thousands in groups from five digits on. */
export function countOf(count: number, singular: string, plural: string = `${singular}s`): string {
  const digits = `${count}`;
  const grouped = digits.length > 4 ? digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ' ') : digits;
  return `${grouped} ${count === 1 ? singular : plural}`;
}
