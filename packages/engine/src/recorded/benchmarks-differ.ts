import { sides, type Trial, type Warning } from '@deadheat/model';
import { findRecorded, recordedNames, type MeasureSource } from './measure.ts';
import { reportedBenchmark } from '../record/index.ts';

/**
 * A warning `BENCHMARKS_DIFFER` for each benchmark that a program recorded on one side only in some run: that run does not
 * count for it.
 */
export function benchmarksDiffer(trials: readonly Trial[], { config, records }: MeasureSource): readonly Warning[] {
  return config.benchmarks.flatMap((entry, index) => {
    const own = trials.filter(
      ({ benchmark, status, phase }) => benchmark === index && status === 'ok' && phase !== 'pilot',
    );
    return recordedNames(own, records).flatMap((name) => {
      const found = own.map(({ trial }) => findRecorded(records.get(trial), name));
      const missing = sides.flatMap((side) => {
        const runs = found.filter((recorded) => recorded[side] === undefined).length;
        return runs === 0 ? [] : [`${side} in ${runs} of ${own.length} runs`];
      });
      if (missing.length === 0) return [];
      const message =
        `${reportedBenchmark(name, { entry, config }).name} was not recorded by ${missing.join(' and ')}, which do not ` +
        'count for it; let both sides hold the same benchmarks, with the same names and parameters';
      return [{ code: 'BENCHMARKS_DIFFER', message } satisfies Warning];
    });
  });
}
