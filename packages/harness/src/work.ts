/** Invocations to be done in one go, and between what times they were done. One object is used again and again. */
export interface Work {
  invocations: number;
  readonly state: unknown;
  readonly params: unknown;
  /** Start and end, ns of CLOCK_MONOTONIC; filled in by whoever does the work. */
  readonly times: BigUint64Array;
}

/** What the execution of a benchmark asks of whoever drives it: to do work or to await something. */
export type Step = Work | PromiseLike<unknown>;

/** Does work; a promise when the function is asynchronous. */
export type Worker = (work: Work) => PromiseLike<unknown> | undefined;
