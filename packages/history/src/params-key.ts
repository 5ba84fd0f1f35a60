import type { Params } from '@deadheat/model';

/** Parameters as one text that is the same for the same parameters in any order. */
export const paramsKey = (params: Params): string =>
  JSON.stringify(Object.fromEntries(Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))));
