import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRecording } from '@deadheat/engine';
import type { Benchmark, Method, Recording } from '@deadheat/model';

/** Mean wall time of the runs of one benchmark and method in an earlier recording. */
export interface EarlierRuns {
  readonly recording: string;
  readonly runNs: number;
}

/** Recordings that are looked into, the newest first. */
const mostRecordings = 5;

/** Reads recordings of the experiment `name` below `parent`; what cannot be read tells nothing. */
export async function readEarlier(parent: string, name: string): Promise<readonly Recording[]> {
  const recordings: Recording[] = [];
  for (const folder of namesIn(parent).filter((other) => other.includes(name))) {
    if (recordings.length === mostRecordings) break;
    const recording = await readRecording(join(parent, folder)).catch(() => null);
    if (recording?.experiment.config.name === name) recordings.push(recording);
  }
  return recordings;
}

/**
 * What the newest recording with such runs tells; `null` when none has any. Pilot runs tell nothing.
 *
 * @param method `null` = what pilot runs chose there
 */
export function findEarlierRuns(
  recordings: readonly Recording[],
  { name, params, method }: Pick<Benchmark, 'name' | 'params'> & { readonly method: Method | null },
): EarlierRuns | null {
  for (const { directory, experiment, trials } of recordings) {
    const same = experiment.config.benchmarks.map(
      (other) => other.name === name && JSON.stringify(other.params) === JSON.stringify(params),
    );
    const walls = trials
      .filter(({ benchmark, status, phase }) => same[benchmark] === true && status === 'ok' && phase !== 'pilot')
      .filter((trial) => method === null || trial.method === method)
      .map(({ wallNs }) => wallNs);
    if (walls.length > 0) {
      return { recording: directory, runNs: walls.reduce((sum, wall) => sum + wall, 0) / walls.length };
    }
  }
  return null;
}

/** Newest first: a recording's name begins with its time. */
function namesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent).toSorted().toReversed();
  } catch {
    return [];
  }
}
