import type { Comparison } from '@deadheat/model';
import { halfFrame } from './density-pictures.ts';
import { detectionCurve, type DetectionPoint } from './detection-curve.ts';
import { picture, type Mark, type PictureOptions } from './drawing.ts';
import { element, path, tenth } from './element.ts';
import { linePath } from './path-data.ts';

/** Curves for so many times as many runs. */
export const detectionFactors = [1, 2, 4] as const;

/** How likely true slowdowns of growing size would be called slower; `null` where none would. */
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
