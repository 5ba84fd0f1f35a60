import type { RunPoints } from '@deadheat/model';
import { picture, type PictureOptions } from './drawing.ts';
import { element, barsPath } from './element.ts';
import { runBands, runScale, wideFrame } from './run-axis.ts';
import type { RunLayout } from './run-layout.ts';

/** What may disturb a run. */
interface Disturbance {
  readonly name: string;
  readonly unit: string;
  /** Value of a run; `null` = the machine does not report it. */
  readonly of: (run: RunPoints) => number | null;
}

function shareOfRun(ns: number | null, { wallNs }: RunPoints): number | null {
  return ns === null || wallNs === 0 ? null : (100 * ns) / wallNs;
}

const disturbances: readonly Disturbance[] = [
  { name: 'stolen by the hypervisor', unit: '% of the run', of: (run) => shareOfRun(run.noise.stealNs, run) },
  { name: 'throttled', unit: '% of the run', of: (run) => shareOfRun(run.noise.throttledNs, run) },
  {
    name: 'pushed off a core',
    unit: 'switches',
    of: ({ sides: { A, B } }) =>
      A.involuntarySwitches === null && B.involuntarySwitches === null
        ? null
        : (A.involuntarySwitches ?? 0) + (B.involuntarySwitches ?? 0),
  },
  {
    name: 'context switches of the machine',
    unit: 'a second',
    of: ({ noise, wallNs }) =>
      noise.contextSwitches === null || wallNs === 0 ? null : noise.contextSwitches / (wallNs / 1e9),
  },
];

export interface DrawnNoise {
  readonly pictures: readonly string[];
  /** Names of the disturbances that were recorded and never happened. */
  readonly absent: readonly string[];
  /** Names of the disturbances that this machine does not report. */
  readonly untold: readonly string[];
}

/** Pictures of the disturbances of each run: one strip for each kind, aligned with the times. */
export function noisePictures(layout: RunLayout): DrawnNoise {
  const pictures: string[] = [];
  const absent: string[] = [];
  const untold: string[] = [];
  for (const disturbance of disturbances) {
    const values = layout.runs.map(({ points }) => disturbance.of(points));
    if (values.every((value) => value === null)) untold.push(disturbance.name);
    else if (values.every((value) => (value ?? 0) === 0)) absent.push(disturbance.name);
    else pictures.push(strip({ layout, values, disturbance }));
  }
  return { pictures, absent, untold };
}

function strip({
  layout,
  values,
  disturbance: { name, unit },
}: {
  readonly layout: RunLayout;
  readonly values: readonly (number | null)[];
  readonly disturbance: Disturbance;
}): string {
  const most = Math.max(...values.map((value) => value ?? 0));
  const options: PictureOptions = {
    ...wideFrame,
    height: 84,
    marginTop: 26,
    marginBottom: 6,
    x: runScale(layout),
    y: {
      domain: [0, most * 1.05],
      ticks: [0, most],
      tickFormat: (value) => `${Number(value.toPrecision(2))}`,
      label: `${name}, ${unit}`,
      grid: true,
    },
    marks: [
      runBands(layout),
      (pen) => {
        const told = layout.runs.flatMap(({ start, length }, r) => {
          const value = values[r] ?? null;
          return value === null ? [] : [{ x: pen.x(layout.single ? start : start + length / 2), y: pen.y(value) }];
        });
        const d = barsPath(
          told.map(({ x }) => x),
          told.map(() => pen.y(0)),
          told.map(({ y }) => y),
        );
        const width = Math.max(1, Math.min(10, ((pen.right - pen.left) / layout.runs.length) * 0.6));
        return element('path', { class: 'noise', d, 'stroke-width': width });
      },
    ],
  };
  return picture(options, { label: `${name} in every run, ${unit}; at most ${Number(most.toPrecision(2))}` });
}
