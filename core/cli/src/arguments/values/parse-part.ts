import type { Part } from '@deadheat/engine';
import { badValue } from 'deadheat/settings';

/** Parser of a part of several: `2/4` is the second of four. */
export function parsePart(flag: string): (value: string) => Part {
  return (value) => {
    const [, index = '', count = ''] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(value) ?? [];
    const part = { index: Number(index), count: Number(count) };
    if (index === '' || part.index > part.count) {
      throw badValue(flag, value, { allowed: 'a part of several, from 1/N to N/N, such as 1/4' });
    }
    return part;
  };
}
