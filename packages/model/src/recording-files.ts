/** Names of the files inside a recording's folder. */
export const recordingFiles = {
  /** The resolved experiment; what makes a folder a recording. */
  experiment: 'experiment.json',
  /** The journal: one line a finished trial. */
  trials: 'trials.jsonl',
  /** The canonical table of iterations. */
  iterations: 'iterations.parquet',
  /** Folder of what programs recorded themselves. */
  records: 'iterations',
  report: 'report.json',
  /** The same for people. */
  page: 'report.html',
  /** Present while a process writes the recording. */
  lock: 'lock',
} as const;
