import { groupDigits } from './group-digits.ts';

/** `1 run`, `40 runs`, `10 000 replicates`: thousands in groups from five digits on. */
export function countOf(count: number, singular: string, plural: string = `${singular}s`): string {
  return `${groupDigits(`${count}`)} ${count === 1 ? singular : plural}`;
}
