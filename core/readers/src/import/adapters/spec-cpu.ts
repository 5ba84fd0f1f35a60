import { readSpecLine } from '../../grammar/lines.ts';
import type { Adapter } from '../adapter.ts';
import { BenchmarkSet } from '../benchmark-set.ts';
import { unnamed } from '../imported-file.ts';
import { malformedText } from '../import-error.ts';
import { readLines } from '../text/read-lines.ts';
import { nsPer } from '../units.ts';

const advice = 'It is the log that runcpu writes, CPU2017.NNN.log.';

/** SPEC CPU's log: each pair of start and end is an execution. Source: asynchronous-duet's `parsers_benchmark.py`. */
export const specCpu: Adapter = {
  id: 'spec-cpu',
  describe: 'log of SPEC CPU',
  reads: 'a pair of `Rate Start` and `Rate End` is a run of one iteration, with its start',
  cannot: ['NO_RUN_VARIANCE'],
  holdsWarmup: false,
  detect: ({ lines }) => lines.some((text) => (readSpecLine(text)?.kind ?? 'benchmark') !== 'benchmark'),
  read: async (source) => {
    const { path } = source;
    const set = new BenchmarkSet(source.path);
    let name = unnamed;
    let start: { readonly ns: number; readonly line: number } | null = null;
    let count = 0;
    for (const { number, text } of await readLines(source)) {
      const found = readSpecLine(text);
      if (found?.kind === 'benchmark') name = found.name;
      if (found === null || found.kind === 'benchmark') continue;
      const ns = found.seconds * nsPer.s;
      if (found.kind === 'start') {
        start = { ns, line: number };
      } else {
        const place = { path, line: number, column: 1 };
        if (start === null) throw malformedText(place, { what: 'an end without a start before it', advice });
        if (ns < start.ns) {
          throw malformedText(place, { what: `the end lies before the start in line ${start.line}`, advice });
        }
        set.run({ name }, String(count++)).push({ durationNs: ns - start.ns, startNs: start.ns });
        start = null;
      }
    }
    return { benchmarks: set.benchmarks() };
  },
};
