import type { Recording } from '@deadheat/model';
import { latestRecording, readRecording, RecordError } from '../record/index.ts';

/**
 * Reads a recording; a folder of recordings stands for its newest.
 *
 * @throws RecordError as `readRecording`
 */
export async function findRecording(path: string): Promise<Recording> {
  try {
    return await readRecording(path);
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'NOT_A_RECORDING') throw error;
    const latest = await latestRecording(path);
    if (latest === null) throw error;
    return readRecording(latest);
  }
}
