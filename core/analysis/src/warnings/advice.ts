/** Where times were measured: by an experiment, whose options can give it more of them, or by another tool that wrote files. */
export type Origin = 'experiment' | 'files';

/** The way to more runs of another tool. */
export const moreOfTool =
  'Have the tool make more of them (forks, processes), or name a folder with the files of several';

/** Advice with the options that follow it, which do nothing for files. */
export function withOptions(advice: string, options: string, origin: Origin): string {
  return origin === 'files' ? advice : `${advice} (${options})`;
}

/** Advice on a number of runs, with the way to them. */
export function withRuns(advice: string, runs: number, origin: Origin): string {
  return origin === 'files' ? `${advice}. ${moreOfTool}` : `${advice} (--runs ${runs})`;
}
