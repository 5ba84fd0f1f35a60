/** A squared standard error and the number of values behind it (at least two). */
export interface ErrorPart {
  readonly squaredError: number;
  readonly n: number;
}

/** Standard error of a difference of independent estimates, with the degrees of freedom of Welch and Satterthwaite. */
export const welchError = (
  parts: readonly ErrorPart[],
): { readonly standardError: number; readonly degrees: number } => {
  const squared = parts.reduce((sum, { squaredError }) => sum + squaredError, 0);
  const degrees =
    squared === 0
      ? parts.reduce((sum, { n }) => sum + n - 1, 0)
      : 1 / parts.reduce((sum, { squaredError, n }) => sum + (squaredError / squared) ** 2 / (n - 1), 0);
  return { standardError: Math.sqrt(squared), degrees };
};
