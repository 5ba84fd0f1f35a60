import { mean } from '@deadheat/stats';
import { at } from '../internal/at.ts';

/** The mean of a value a run over each unit's runs. */
export const unitMeans = (values: ArrayLike<number>, members: readonly (readonly number[])[]): Float64Array =>
  Float64Array.from(members, (runs) => mean(runs.map((r) => at(values, r))));
