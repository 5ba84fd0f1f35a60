/** Refuses degrees of freedom that are not above 0; Infinity is allowed and means the normal distribution. */
export const checkDegrees = (df: number): number => {
  if (typeof df !== 'number' || !(df > 0)) throw new RangeError(`df must be above 0, got ${String(df)}`);
  return df;
};
