/** Name of a benchmark that a file gives none: the same in every file, so that two such files match. */
export const unnamed = 'benchmark';
