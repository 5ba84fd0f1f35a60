/** Times of one side: a list a run, a value an iteration, in any one unit. Runs may differ in length. */
export type RunsOfTimes = readonly ArrayLike<number>[];
