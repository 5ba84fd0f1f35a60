import type { Comparison } from '@deadheat/model';
import { halfFrame } from './density-pictures.ts';
import { detectionCurve, type DetectionPoint } from './detection-curve.ts';
import { picture, sketch, type Drawing } from './drawing.ts';
import { linePath } from './path-data.ts';

/** Curves for so many times as many runs. */
export const detectionFactors = [1, 2, 4] as const;

/** How likely true slowdowns of growing size would be called slower; `null` where none would. */
export function detectionPicture(drawing: Drawing, comparison: Comparison): string | null {
  const curves = detectionFactors.map((factor) => detectionCurve(comparison, factor));
  const [own] = curves;
  if (own === null || own === undefined) return null;
  const mds = comparison.minimalDetectableSlowdown * 100;
  const most = (own.at(-1)?.slowdown ?? 0.01) * 100;
  const options = {
    ...halfFrame,
    height: 190,
    marginLeft: 48,
    marginTop: 8,
    marginBottom: 34,
    x: {
      domain: [0, most],
      label: 'true slowdown of B, %',
      labelAnchor: 'center' as const,
      labelArrow: 'none' as const,
      ticks: 6,
    },
    y: {
      domain: [0, 100],
      ticks: [0, 20, 40, 60, 80, 100],
      tickSize: 0,
      grid: true,
      label: null,
      tickFormat: (value: number) => `${value} %`,
    },
    marks: [
      sketch((pen) => {
        const [x, y] = [pen.x(mds).toFixed(1), pen.y(80).toFixed(1)];
        return pen.element('path', { class: 'margin', d: `M${pen.left},${y}H${x}V${pen.bottom}` });
      }),
      ...curves.flatMap((curve, index) => (curve === null ? [] : [curveMark(curve, `curve c${index}`)])),
      sketch((pen) => pen.element('circle', { class: 'mds', cx: pen.x(mds), cy: pen.y(80), r: 4 })),
    ],
  };
  return picture(drawing, options, {
    label: `Probability that a true slowdown is called slower; 80 % at a slowdown of ${mds.toPrecision(2)} %`,
  });
}

function curveMark(curve: readonly DetectionPoint[], name: string): ReturnType<typeof sketch> {
  return sketch((pen) => {
    const start = curve.findIndex(({ slowdown }) => slowdown > 0);
    const drawn = curve.slice(Math.max(0, start - 1));
    const d = linePath(
      [...drawn.map(({ slowdown }) => pen.x(Math.max(0, slowdown) * 100)), pen.right],
      [
        ...drawn.map(({ probability }) => pen.y(probability * 100)),
        pen.y(drawn.at(-1)?.probability === undefined ? 0 : 100),
      ],
    );
    return pen.element('path', { class: name, d });
  });
}
