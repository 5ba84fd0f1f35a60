import type { Comparison } from '@deadheat/model';
import { minimalDetectableRatio } from '@deadheat/stats';
import { halfFrame } from './density-pictures.ts';
import { picture, type Mark, type PictureOptions } from './drawing.ts';
import { element, path, tenth, linePath } from './element.ts';

/** A true slowdown, and how likely it would be called slower; shares. */
interface DetectionPoint {
  readonly slowdown: number;
  readonly probability: number;
}

const powers = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995];
const reportedPower = 0.8;
/** Detectable shifts for a standard deviation of 1, which are the same for all benchmarks of an experiment. */
const known = new Map<string, number>();

/**
 * How likely true slowdowns would have been called slower, by an experiment of `factor` times as many runs. Goes
 * through the comparison's minimal detectable slowdown, which is the point at 80 %; for an anytime interval, the curve
 * is that of a fixed number of runs with the same point.
 *
 * @returns `null` where no slowdown would be found, or any.
 */
export function detectionCurve(
  { minimalDetectableSlowdown, margin, resampled, ratio }: Comparison,
  factor = 1,
): readonly DetectionPoint[] | null {
  const n = resampled.count;
  const { confidence } = ratio;
  if (n < 2 || minimalDetectableSlowdown > 100) return null;
  const spread = Math.log((1 + minimalDetectableSlowdown) / (1 + margin)) / unitShift(n, confidence, reportedPower);
  if (!(spread > 0)) return null;
  return powers.map((probability) => ({
    slowdown: (1 + margin) * Math.exp(spread * unitShift(n * factor, confidence, probability)) - 1,
    probability,
  }));
}

/** The detectable log ratio of runs whose log ratios have a standard deviation of 1. */
function unitShift(n: number, confidence: number, power: number): number {
  const key = `${n} ${confidence} ${power}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const shift = Math.log(minimalDetectableRatio({ standardDeviation: 1, n, confidence, power }));
  known.set(key, shift);
  return shift;
}

/** Factors on the number of runs, with one curve for each. */
const detectionFactors = [1, 2, 4] as const;

/**
 * Picture of the probability of the verdict `slower` for growing true slowdowns; `null` when no slowdown would be
 * found.
 */
export function detectionPicture(comparison: Comparison): string | null {
  const curves = detectionFactors.map((factor) => detectionCurve(comparison, factor));
  const [own] = curves;
  if (own === null || own === undefined) return null;
  const mds = comparison.minimalDetectableSlowdown * 100;
  const most = (own.at(-1)?.slowdown ?? 0.01) * 100;
  const options: PictureOptions = {
    ...halfFrame,
    height: 190,
    marginLeft: 48,
    marginTop: 8,
    marginBottom: 34,
    x: {
      domain: [0, most],
      label: 'true slowdown of B, %',
      ticks: 6,
      tickSize: 6,
    },
    y: {
      domain: [0, 100],
      ticks: [0, 20, 40, 60, 80, 100],
      grid: true,
      tickFormat: (value) => `${value} %`,
    },
    marks: [
      ({ x, y, left, bottom }) => path('margin', `M${left},${tenth(y(80))}H${tenth(x(mds))}V${bottom}`),
      ...curves.flatMap((curve, index) => (curve === null ? [] : [curveMark(curve, `curve c${index}`)])),
      ({ x, y }) => element('circle', { class: 'mds', cx: x(mds), cy: y(80), r: 4 }),
    ],
  };
  return picture(options, {
    label: `Probability that a true slowdown is called slower; 80 % at a slowdown of ${mds.toPrecision(2)} %`,
  });
}

function curveMark(curve: readonly DetectionPoint[], name: string): Mark {
  return (pen) => {
    const start = curve.findIndex(({ slowdown }) => slowdown > 0);
    const drawn = curve.slice(Math.max(0, start - 1));
    const d = linePath(
      [...drawn.map(({ slowdown }) => pen.x(Math.max(0, slowdown) * 100)), pen.right],
      [
        ...drawn.map(({ probability }) => pen.y(probability * 100)),
        pen.y(drawn.at(-1)?.probability === undefined ? 0 : 100),
      ],
    );
    return path(name, d);
  };
}
