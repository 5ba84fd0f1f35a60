import { badValue } from '../bad-value.ts';

/** Parser of a text that is not empty; `meaning` says what it is, such as `a file`. */
export function parseText(flag: string, meaning: string): (value: string) => string {
  return (value) => {
    if (value.trim() === '') throw badValue(flag, value, { allowed: meaning });
    return value;
  };
}
