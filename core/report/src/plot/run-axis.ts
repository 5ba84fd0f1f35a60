import type { Axis } from './axes.ts';
import type { Mark, PictureOptions } from './drawing.ts';
import { path, tenth } from './element.ts';
import type { RunLayout } from './run-layout.ts';

/** Margins and width of all pictures whose axis is that of the runs, so that they line up. */
export const wideFrame = { width: 1040, marginLeft: 64, marginRight: 16 } as const;

const mostLabels = 16;
/** With more runs than this their bands would be finer than a pixel or two. */
const mostBands = 250;

/** The scale of all iterations of all runs. */
export function runScale({ length, single }: RunLayout): Axis {
  return { domain: single ? [-0.7, length - 0.3] : [0, length] };
}

/** The scale with the numbers of runs below their middle. */
export function runAxis(layout: RunLayout, { label }: Pick<Axis, 'label'> = {}): Axis {
  const step = niceStep(layout.runs.length / mostLabels);
  const labelled = layout.runs.filter((_, index) => (index + 1) % step === 0 || layout.runs.length === 1);
  const names = new Map(labelled.map((run) => [middleOf(run, layout), String(run.points.run + 1)]));
  return {
    ...runScale(layout),
    name: 'runs',
    ticks: [...names.keys()],
    tickFormat: (place) => names.get(place) ?? '',
    ...(label === undefined ? {} : { label }),
  };
}

/** Every second run shaded. */
export function runBands({ runs, single }: RunLayout): Mark {
  return ({ x, top, bottom }) => {
    if (single || runs.length > mostBands) return '';
    const bands = runs
      .filter((_, index) => index % 2 === 1)
      .map(({ start, length }) => {
        const [from, to] = [tenth(x(start)), tenth(x(start + length))];
        return `M${from},${top}H${to}V${bottom}H${from}z`;
      });
    return path('band', bands.join(''));
  };
}

/** The frame of a picture for the page's script: its edges in pixels, then the values at its edges. */
export function frameOf({
  width,
  height,
  marginLeft,
  marginRight,
  marginTop,
  marginBottom,
  x,
  y,
}: PictureOptions): string {
  const ends = [...x.domain, ...y.domain];
  return [marginLeft, width - marginRight, marginTop, height - marginBottom, ...ends].map(String).join(' ');
}

/** Where runs begin; empty with more of them than a page should list. */
export function startsOf({ runs, single }: RunLayout): string {
  return single || runs.length > mostBands ? '' : runs.map(({ start }) => start).join(' ');
}

function middleOf({ start, length }: RunLayout['runs'][number], { single }: RunLayout): number {
  return single ? start : start + length / 2;
}

function niceStep(least: number): number {
  for (let power = 1; ; power *= 10) {
    for (const digit of [1, 2, 5]) if (digit * power >= least) return digit * power;
  }
}
