import type { HistoryPoint } from '@deadheat/model';
import { readFolder } from './read-folder.ts';

/**
 * The points that a recording adds to a history, from its folder.
 *
 * @throws HistoryError as `History.put`
 */
export async function pointsOfRecording(directory: string): Promise<readonly HistoryPoint[]> {
  return (await readFolder({ directory })).points;
}
