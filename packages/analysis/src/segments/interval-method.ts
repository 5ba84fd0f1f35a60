/** How the interval of a grand mean is computed. */
export interface IntervalMethod {
  /**
   * `aware`: mean of run means of segment means, and the variance from components (appendix A.2); `ignorant`: every measurement of a
   * run has the same weight, and the variance is that of run means (A.1).
   */
  readonly segments: 'aware' | 'ignorant';
  /** `normal`, `t`: analytical, with that quantile (runs - 1 degrees of freedom); `resampling`: expanded percentile. */
  readonly kind: 'normal' | 't' | 'resampling';
}
