// Two functions of some 20 and 2 ms, longer and shorter than a slice of the scheduler.
import { bench, keep } from '@deadheat/harness';

const text = JSON.stringify(
  Array.from({ length: 22_000 }, (_, id) => ({ id, name: `name ${id * 7919}`, tags: ['a', String(id)], at: [id / 3] })),
);
const prose = Array.from({ length: 36_000 }, (_, i) => `w${(i * 7919) % 1009} user${i}@host${i % 7}.example`).join(' ');

bench('JSON.parse', () => keep(JSON.parse(text)), { invocations: 1 });
bench('regular expression', () => keep(prose.match(/([a-z\d]+)@([a-z\d]+)\.example/g)), { invocations: 1 });
