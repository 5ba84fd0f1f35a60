import type { RunPoints } from '@deadheat/model';
import { chooseTimeUnit } from '../text/format-time.ts';
import { picture, sketch, type Drawing } from './drawing.ts';
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
export function overlapPicture(drawing: Drawing, runs: readonly RunPoints[]): DrawnOverlap | null {
  const run = runs[Math.floor(runs.length / 2)];
  if (run === undefined || run.pairs.a.length === 0) return null;
  const { A, B } = run.sides;
  const begin = Math.min(A.startsNs[0] ?? Infinity, B.startsNs[0] ?? Infinity);
  const end = Math.min(
    A.endsNs[Math.min(mostSpans, A.endsNs.length) - 1] ?? Infinity,
    B.endsNs[Math.min(mostSpans, B.endsNs.length) - 1] ?? Infinity,
  );
  const unit = chooseTimeUnit((end - begin) / 1e9);
  const at = (ns: number): number => ((ns - begin) / 1e9) * unit.perSecond;
  const pairs = Array.from(run.pairs.a, (a, k) => ({ a, b: run.pairs.b[k] ?? 0 })).filter(
    ({ a, b }) => (A.startsNs[a] ?? Infinity) < end && (B.startsNs[b] ?? Infinity) < end,
  );
  const spans = (side: 'A' | 'B'): ReturnType<typeof sketch> =>
    sketch((pen) => {
      const { startsNs, endsNs } = run.sides[side];
      const paired = new Set(pairs.map(({ a, b }) => (side === 'A' ? a : b)));
      const group = pen.element('g', { class: side === 'A' ? 'a' : 'b' });
      for (let row = 0; row < startsNs.length && (startsNs[row] ?? Infinity) < end; row++) {
        const [from, to] = [pen.x(at(startsNs[row] ?? 0)), pen.x(Math.min(at(end), at(endsNs[row] ?? 0)))];
        const y = pen.y(side === 'A' ? 1 : 0) - lane / 2;
        const frame = { x: from, y, width: Math.max(1, to - from - 1), height: lane, rx: 2 };
        group.append(pen.element('rect', { class: paired.has(row) ? 'span' : 'span alone', ...frame }));
      }
      return group;
    });
  const middle = (side: 'A' | 'B', row: number): number =>
    (at(run.sides[side].startsNs[row] ?? 0) + Math.min(at(end), at(run.sides[side].endsNs[row] ?? 0))) / 2;
  const options = {
    ...wideFrame,
    height: 140,
    marginTop: 12,
    marginBottom: 34,
    x: {
      domain: [0, at(end)],
      label: `time since the first start, ${unit.name}`,
      labelAnchor: 'center' as const,
      labelArrow: 'none' as const,
    },
    y: {
      domain: [-0.4, 1.4],
      ticks: [0, 1],
      tickSize: 0,
      tickFormat: (value: number) => (value === 1 ? 'A' : 'B'),
      label: null,
    },
    marks: [
      spans('A'),
      spans('B'),
      sketch((pen) => {
        const [from, to] = [pen.y(1) + lane / 2, pen.y(0) - lane / 2];
        const d = pairs
          .map(({ a, b }) => `M${pen.x(middle('A', a)).toFixed(1)},${from}L${pen.x(middle('B', b)).toFixed(1)},${to}`)
          .join('');
        return pen.element('path', { class: 'link', d });
      }),
    ],
  };
  const words = `Iterations of A above those of B over time; lines join ${pairs.length} pairs that overlap`;
  return { picture: picture(drawing, options, { label: words }), run: run.run, pairs: pairs.length };
}
