import type { classifyRun, steadyStateOfRun } from '@deadheat/analysis';

/** Whole runs of one side of a benchmark by one method, warm-up included. */
export interface SteadySeries {
  readonly label: string;
  readonly runs: readonly {
    /** Of every iteration, ns an invocation. */
    readonly timesNs: Float64Array;
    /** Invocations an iteration, on average. */
    readonly invocations: number;
    /** Further metrics of every iteration, as far as they were recorded. */
    readonly metrics: Readonly<Record<string, Float64Array>>;
  }[];
}

/** A series with its classes, a run each. */
export interface ClassifiedSeries {
  readonly label: string;
  readonly runs: readonly (ReturnType<typeof steadyStateOfRun> & {
    readonly repetitions: number;
    /** By the other segmentation, which costs the same; absent = there is none, or it gives the same class. */
    readonly tiedClass?: ReturnType<typeof classifyRun>['class'];
  })[];
}
