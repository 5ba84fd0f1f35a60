import type { Markish, ScaleOptions } from '@observablehq/plot';
import { type Drawing, sketch } from './drawing.ts';
import type { RunLayout } from './run-layout.ts';

/** Margins and width of all pictures whose axis is that of the runs, so that they line up. */
export const wideFrame = { width: 1040, marginLeft: 64, marginRight: 16 } as const;

const mostLabels = 16;
/** With more runs than this their bands would be finer than a pixel or two. */
const mostBands = 250;

/** The scale of all iterations of all runs. */
export function runScale({ length, single }: RunLayout): ScaleOptions {
  return { domain: single ? [-0.7, length - 0.3] : [0, length], label: null };
}

/** Numbers of runs below their middle. */
export function runAxis({ Plot }: Drawing, layout: RunLayout, { label }: { readonly label: string | null }): Markish {
  const step = niceStep(layout.runs.length / mostLabels);
  const labelled = layout.runs.filter((_, index) => (index + 1) % step === 0 || layout.runs.length === 1);
  const names = new Map(labelled.map((run) => [middleOf(run, layout), String(run.points.run + 1)]));
  return Plot.axisX([...names.keys()], {
    className: 'runs',
    tickFormat: (place: number) => names.get(place) ?? '',
    tickSize: 0,
    label,
    labelAnchor: 'center',
    labelArrow: 'none',
  });
}

/** Every second run shaded, and warm-up hatched out. */
export function runBands({ runs, single }: RunLayout): Markish {
  return sketch((pen) => {
    if (single || runs.length > mostBands) return null;
    const path = runs
      .filter((_, index) => index % 2 === 1)
      .map(({ start, length }) => {
        const [from, to] = [pen.x(start), pen.x(start + length)];
        return `M${from.toFixed(1)},${pen.top}H${to.toFixed(1)}V${pen.bottom}H${from.toFixed(1)}z`;
      })
      .join('');
    return pen.element('path', { class: 'band', d: path });
  });
}

interface Framed {
  readonly width: number;
  readonly height: number;
  readonly marginLeft: number;
  readonly marginRight: number;
  readonly marginTop: number;
  readonly marginBottom: number;
  readonly x: ScaleOptions;
  readonly y: ScaleOptions;
}

/** What the page's script has to know of a picture: its frame in pixels, then what is at its ends. */
export function frameOf({ width, height, marginLeft, marginRight, marginTop, marginBottom, x, y }: Framed): string {
  const ends = [...(x.domain ?? [0, 1]), ...(y.domain ?? [0, 1])];
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
