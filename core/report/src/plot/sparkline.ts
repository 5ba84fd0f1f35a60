import { robustDomain } from './axes.ts';
import { element, linePath, path, dotsPath, tenth } from './element.ts';

/** A series as small as a word. */
export interface SparklineView {
  /** In their order, of any unit. */
  readonly values: ArrayLike<number>;
  /** Indices of the first values of new levels. */
  readonly changes: readonly number[];
}

const size = { width: 120, height: 24, pad: 3 } as const;

/** A line through the values with a mark where the level changed and a dot at the last one; the text beside it says what it shows. */
export function renderSparkline({ values, changes }: SparklineView): string {
  const { width, height, pad } = size;
  const { low, high } = robustDomain(Float64Array.from(values));
  const step = (width - 2 * pad) / Math.max(1, values.length - 1);
  const xs = Array.from(values, (_, at) => pad + at * step);
  const ys = Array.from(values, (value) => {
    const share = (Math.min(high, Math.max(low, value)) - low) / (high - low || 1);
    return height - pad - share * (height - 2 * pad);
  });
  const marks = changes.map((at) => `M${tenth(pad + (at - 0.5) * step)},0V${height}`).join('');
  return element(
    'svg',
    { class: 'spark', viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    path('change', marks) + path('line', linePath(xs, ys)) + path('dots', dotsPath(xs.slice(-1), ys.slice(-1))),
  );
}
