import type { RunPoints } from '@deadheat/model';
import { chooseTimeUnit } from '../text/numbers.ts';
import { picture, type Mark, type PictureOptions } from './drawing.ts';
import { element, group, path, tenth } from './element.ts';
import { wideFrame } from './run-axis.ts';

/** Iterations of a side that are drawn. */
const mostSpans = 24;
const lane = 16;

export interface DrawnOverlap {
  readonly picture: string;
  /** The run that is drawn, from 0. */
  readonly run: number;
  readonly pairs: number;
}

/** When the iterations of one run of an asynchronous duet ran, and which of them are pairs; `null` without any. */
export function overlapPicture(runs: readonly RunPoints[]): DrawnOverlap | null {
  const run = runs[Math.floor(runs.length / 2)];
  if (run === undefined || run.pairs.a.length === 0) return null;
  const { sides } = run;
  const { A, B } = sides;
  const begin = Math.min(A.startsNs[0] ?? Infinity, B.startsNs[0] ?? Infinity);
  const end = Math.min(
    A.endsNs[Math.min(mostSpans, A.endsNs.length) - 1] ?? Infinity,
    B.endsNs[Math.min(mostSpans, B.endsNs.length) - 1] ?? Infinity,
  );
  const unit = chooseTimeUnit((end - begin) / 1e9);

  function at(ns: number): number {
    return ((ns - begin) / 1e9) * unit.perSecond;
  }

  const pairs = Array.from(run.pairs.a, (a, k) => ({ a, b: run.pairs.b[k] ?? 0 })).filter(
    ({ a, b }) => (A.startsNs[a] ?? Infinity) < end && (B.startsNs[b] ?? Infinity) < end,
  );

  function spans(side: 'A' | 'B'): Mark {
    return (pen) => {
      const { startsNs, endsNs } = sides[side];
      const paired = new Set(pairs.map(({ a, b }) => (side === 'A' ? a : b)));
      let drawn = '';
      for (let row = 0; row < startsNs.length && (startsNs[row] ?? Infinity) < end; row++) {
        const [from, to] = [pen.x(at(startsNs[row] ?? 0)), pen.x(Math.min(at(end), at(endsNs[row] ?? 0)))];
        const y = pen.y(side === 'A' ? 1 : 0) - lane / 2;
        const frame = { x: from, y, width: Math.max(1, to - from - 1), height: lane, rx: 2 };
        drawn += element('rect', { class: paired.has(row) ? 'span' : 'span alone', ...frame });
      }
      return group(side === 'A' ? 'a' : 'b', drawn);
    };
  }

  function middle(side: 'A' | 'B', row: number): number {
    return (at(sides[side].startsNs[row] ?? 0) + Math.min(at(end), at(sides[side].endsNs[row] ?? 0))) / 2;
  }

  const options: PictureOptions = {
    ...wideFrame,
    height: 140,
    marginTop: 12,
    marginBottom: 34,
    x: {
      domain: [0, at(end)],
      label: `time since the first start, ${unit.name}`,
      ticks: 10,
      tickSize: 6,
    },
    y: {
      domain: [-0.4, 1.4],
      ticks: [0, 1],
      tickFormat: (value) => (value === 1 ? 'A' : 'B'),
    },
    marks: [
      spans('A'),
      spans('B'),
      ({ x, y }) => {
        const [from, to] = [tenth(y(1) + lane / 2), tenth(y(0) - lane / 2)];
        const d = pairs.map(({ a, b }) => `M${tenth(x(middle('A', a)))},${from}L${tenth(x(middle('B', b)))},${to}`);
        return path('link', d.join(''));
      },
    ],
  };
  const words = `Iterations of A above those of B over time; lines join ${pairs.length} pairs that overlap`;
  return { picture: picture(options, { label: words }), run: run.run, pairs: pairs.length };
}
