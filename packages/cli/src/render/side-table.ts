import { sides, type Comparison } from '@deadheat/model';
import { countOf } from './count-of.ts';
import { chooseTimeUnit, formatTime } from './format-time.ts';

const heads = ['', 'mean', 'median', 'stddev', 'min … max', 'user', 'system'];

/** Wall times of both sides as aligned text; every column named, in one unit. Fits 80 columns but for odd times. */
export function sideTable({ sides: summaries }: Comparison): readonly string[] {
  const unit = chooseTimeUnit(Math.max(summaries.A.mean, summaries.B.mean));
  const time = (seconds: number | null): string => (seconds === null ? 'unknown' : formatTime(seconds, unit));
  const rows = sides.map((side) => {
    const { mean, median, stddev, min, max, user, system } = summaries[side];
    return [side, time(mean), time(median), time(stddev), `${time(min)} … ${time(max)}`, time(user), time(system)];
  });
  const table = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  return [`wall time of ${executions(summaries)}; user and system are means`, ...lines];
}

function executions({ A, B }: Comparison['sides']): string {
  const [a, b] = [A.times.length, B.times.length];
  return a === b
    ? `${countOf(a, 'execution')} of each side`
    : `${countOf(a, 'execution')} of A and ${countOf(b, 'execution')} of B`;
}
