import { RecordError } from '../record-error.ts';
import { readLines } from './read-lines.ts';
import { RecordParser } from './record-parser.ts';
import type { RecordedBenchmark } from './recorded-benchmark.ts';

/** What a side of a duet wrote to `DEADHEAT_RECORD`. */
export interface WorkloadRecord {
  /** In the order of the record; each has a name and parameters of its own. */
  readonly benchmarks: readonly RecordedBenchmark[];
  /** Bytes of a last line that was cut and left out; 0 = none. */
  readonly tornBytes: number;
}

const maximumLineBytes = 10_000_000;

/**
 * Reads the record of one side in one run (`docs/formats/protocol.md`), checking every line: indices of a benchmark
 * grow, no iteration starts before the one before has ended, none ends before it starts. A last line that a killed
 * side left half-written is left out.
 *
 * @throws RecordError `MALFORMED` with file, line and column of anything else that is not as the protocol says, an
 *   empty file included; `NEWER_VERSION` for a record of a later version; `NOT_FOUND`, `NOT_READABLE` or `IO`
 */
export const readWorkloadRecord = async (path: string): Promise<WorkloadRecord> => {
  const parser = new RecordParser(path);
  let tornBytes = 0;
  readLines(path, {
    maximumBytes: maximumLineBytes,
    onLine: (bytes, start, end) => parser.take(bytes, start, end),
    onRest: (bytes, start, end) => {
      if (parser.takeCut(bytes, start, end)) tornBytes = end - start;
    },
    tooLong: () =>
      new RecordError(
        'MALFORMED',
        `${path}:${parser.lines + 1}:1: expected one iteration a line, found a line above 10 MB. Write one JSON line ` +
          'an iteration, and nothing else, to DEADHEAT_RECORD.',
        { path, line: parser.lines + 1, column: 1 },
      ),
  });
  tornBytes += parser.finish();
  return { benchmarks: parser.benchmarks, tornBytes };
};
