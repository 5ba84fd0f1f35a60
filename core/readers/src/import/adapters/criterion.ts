import { dirname } from 'node:path';
import type { Adapter } from '../adapter.ts';
import { hasKeys } from '../import-source.ts';
import { readJson } from '../json/read-json.ts';
import { oneSided, runOf, unnamed } from '../imported-file.ts';

const advice = 'It is target/criterion/GROUP/FUNCTION/new/sample.json, as criterion.rs writes it.';

/** `group/function/value` from the folders of `target/criterion/group/function/value/new/sample.json`. */
function nameOf(path: string): string {
  const folders = dirname(path).split(/[\\/]/);
  const below = folders.lastIndexOf('criterion') + 1;
  const parts = (below > 0 ? folders.slice(below) : folders.slice(-2)).filter((part) => part !== '' && part !== '.');
  return (/^(new|base)$/.test(parts.at(-1) ?? '') ? parts.slice(0, -1) : parts).join('/') || unnamed;
}

/** criterion.rs's `sample.json`: each sample is the total time of some invocations, all of one process. Source: its `src/lib.rs`. */
export const criterion: Adapter = {
  id: 'criterion',
  describe: "criterion.rs's sample.json",
  reads: 'the file is a run, a sample an iteration of `iters` invocations; the name is that of the folders',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS'],
  holdsWarmup: false,
  detect: (head) => head.first === '{' && hasKeys(head, 'sampling_mode', 'iters', 'times'),
  read: async (source) => {
    const root = await readJson(source, { advice });
    const iters = root.get('iters');
    const counts = iters.amounts();
    const times = root.get('times');
    if (times.count() !== counts.length) throw times.error(`as many times as there are iters (${counts.length})`);
    const run = runOf('0', times.amounts(), (durationNs, index) => {
      const invocations = counts[index] ?? 1;
      if (invocations < 1 || !Number.isInteger(invocations)) throw iters.error('whole numbers of at least 1');
      return { durationNs, invocations };
    });
    const runs = run.iterations.length === 0 ? [] : [run];
    return { benchmarks: [oneSided({ name: nameOf(source.path), runs })] };
  },
};
