import { readDacapoLine } from '../../grammar/lines.ts';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { coarseClock, entriesLeftOut } from '../limits.ts';
import { readLines } from '../import-source.ts';
import { nsPer } from '../units.ts';

/**
 * The output of DaCapo and ScalaBench. The harness calls all iterations but the last warm-up, which is its word for "not the one
 * that counts" and no mark here: the first half of a run is left out, as in ICPE'20, section 4. The last iteration says
 * PASSED and ends the run, or FAILED, which loses it.
 */
export const dacapo: Adapter = {
  id: 'dacapo',
  describe: 'what DaCapo and ScalaBench print',
  reads: 'a line with a time is an iteration; PASSED ends a run, FAILED loses it',
  cannot: ['NO_RUN_VARIANCE', 'NO_TIMESTAMPS', 'COARSE_CLOCK', 'FAILED_RUNS_IGNORED'],
  holdsWarmup: true,
  detect: ({ lines }) => lines.some((text) => /^===== (DaCapo|ScalaBench) /.test(text)),
  read: async (source) => {
    const set = new BenchmarkSet(source.path);
    const runs = new Map<string, number>();
    const open = new Map<string, number[]>();
    let failed = 0;
    for (const { text } of await readLines(source)) {
      const found = readDacapoLine(text);
      if (found === null) continue;
      const { benchmark: name, event, ms } = found;
      if (event === 'failed') {
        failed += 1;
        open.delete(name);
        continue;
      }
      if (ms === null) continue;
      const times = open.get(name) ?? [];
      times.push(ms);
      open.set(name, times);
      if (event !== 'passed') continue;
      open.delete(name);
      const run = runs.get(name) ?? 0;
      runs.set(name, run + 1);
      const iterations = set.run({ name }, String(run));
      for (const time of times) iterations.push({ durationNs: time * nsPer.ms });
    }
    return {
      benchmarks: set.benchmarks(),
      limits: [
        coarseClock(source.path, 'milliseconds'),
        ...entriesLeftOut(failed, 'the benchmark says FAILED'),
        ...entriesLeftOut(open.size, 'the run broke off before PASSED'),
      ],
    };
  },
};
