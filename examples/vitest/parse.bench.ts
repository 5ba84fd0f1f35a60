import { bench, describe } from 'vitest';

const { default: ms } = (await import(process.env['VERSION'] ?? 'ms-2.1')) as {
  readonly default: (value: string | number) => unknown;
};

describe('times', () => {
  bench('parse', () => void ms('2 days'), { time: 100 });
  bench('format', () => void ms(172_800_000), { time: 100 });
});
