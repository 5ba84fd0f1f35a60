import { describe, expect, it } from 'vitest';
import { areQuiet } from '../../src/host/quiet-cores.ts';
import { fakeTree, writeFiles } from './fake-tree.ts';

/** Lines of /proc/stat: user nice system idle iowait irq softirq steal guest guest_nice of each CPU. */
const statOf = (cpus: readonly string[]): string =>
  ['cpu  0 0 0 0 0 0 0 0 0 0', ...cpus.map((counts, cpu) => `cpu${cpu} ${counts} 0 0`), 'intr 1 2', 'ctxt 5'].join(
    '\n',
  );

async function look(before: readonly string[], after: readonly string[], cpus = [0, 1]): Promise<boolean> {
  const root = fakeTree({ '/proc/stat': statOf(before) });
  const found = areQuiet(cpus, root);
  writeFiles(root, { '/proc/stat': statOf(after) });
  return found;
}

const idle = '100 0 100 1000 10 0 0 0';

describe('cores', () => {
  it('are quiet where each is idle, or waits for a disk, for nine tenths of the time', async () => {
    expect(await look([idle, idle], ['101 0 101 1023 10 0 0 0', '100 0 100 1000 35 0 0 0'])).toBe(true);
  });

  it('are not where one of them works, or is taken by another guest', async () => {
    expect(await look([idle, idle], ['125 0 100 1000 10 0 0 0', '100 0 100 1025 10 0 0 0'])).toBe(false);
    expect(await look([idle, idle], ['100 0 100 1025 10 0 0 0', '100 0 100 1022 10 0 0 3'])).toBe(false);
    expect(await look([idle, idle], ['125 0 100 1000 10 0 0 0', '100 0 100 1025 10 0 0 0'], [1])).toBe(true);
  });

  it('are not where the kernel counts nothing', async () => {
    expect(await look([idle, idle], [idle, idle])).toBe(false);
    expect(await look([idle], ['100 0 100 1025 10 0 0 0'])).toBe(false);
    expect(await areQuiet([0], '/nowhere')).toBe(false);
  });
});
