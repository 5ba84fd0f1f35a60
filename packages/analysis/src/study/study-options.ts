import { createRandom } from '@deadheat/stats';
import type { Random } from '@deadheat/stats';

/** What the figures of a study depend on besides the measurements. */
export interface StudyOptions {
  /** All resampling is drawn from it; the same measurements and seed give the same study on every machine. */
  readonly seed: string;
}

/** The random stream of one figure of a study. */
export const studyRandom = ({ seed }: StudyOptions, ...purpose: readonly string[]): Random =>
  createRandom(JSON.stringify(['study', seed, ...purpose]));
