const phase = /,"p":"(?:warmup|measure)"/;

/**
 * Marks iterations in the text of a record, as the runner writes it of what a program printed. Numbers stay as they are written: times
 * of a program's own clock may have more digits than a number holds.
 *
 * @param warmup how many iterations of each benchmark, its first, are warm-up; the others are measured
 */
export const markPhases = (text: string, warmup: readonly number[]): string => {
  let benchmark = -1;
  let row = 0;
  const lines = text.trimEnd().split('\n');
  const marked = lines.map((line) => {
    if (line.startsWith('{"deadheat":')) {
      benchmark += 1;
      row = 0;
      return line;
    }
    const mark = row++ < (warmup[benchmark] ?? 0) ? 'warmup' : 'measure';
    return `${line.replace(phase, '').slice(0, -1)},"p":"${mark}"}`;
  });
  return `${marked.join('\n')}\n`;
};
