import { badValue } from '../bad-value.ts';

/**
 * Parser of different CPU numbers, `0,1`: the cores of tandems; in a duet the first is side A's and the second side B's.
 * Whether the machine has them is not known here.
 */
export function parseCpus(flag: string): (value: string) => readonly number[] {
  const allowed = 'different CPU numbers such as 0,1';
  return (value) => {
    if (!/^\d{1,6}(,\d{1,6})*$/.test(value)) {
      const start = /^(\d{1,6},?)*/.exec(value)?.[0] ?? '';
      throw badValue(flag, value, { allowed, offset: start.length });
    }
    let offset = 0;
    const cpus: number[] = [];
    for (const text of value.split(',')) {
      if (cpus.includes(Number(text))) throw badValue(flag, value, { allowed, offset });
      cpus.push(Number(text));
      offset += text.length + 1;
    }
    return cpus;
  };
}
