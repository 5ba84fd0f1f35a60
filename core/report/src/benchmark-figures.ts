import { methodFacts } from '@deadheat/model';
import {
  detectionCurve,
  detectionPicture,
  ratioDensity,
  shiftPicture,
  spreadOf,
  spreadPicture,
  timeDensities,
} from './plot/half-width-pictures.ts';
import type { BenchmarkView, Figure } from './plot/drawing.ts';
import { noisePictures, overlapPicture, ratioPicture } from './plot/run-pictures.ts';
import { runLayout, type RunLayout } from './plot/run-axis.ts';
import { timesPicture, type DrawnSeries } from './plot/times-picture.ts';
import { countOf, formatChosenShare, formatShare } from './text/numbers.ts';

/** The figures of one benchmark, in the order in which a report shows them. */
export function benchmarkFigures(view: BenchmarkView): readonly Figure[] {
  const { comparison, points } = view;
  if (points.runs.length === 0) return [];
  const layout = runLayout(points);
  const times = timesPicture(view, layout);
  const ratio = ratioPicture(view, layout);
  const noise = noisePictures(layout);
  const overlap = methodFacts[comparison.method].pairs === 'overlapping' ? overlapPicture(points.runs) : null;
  const timeDensity = timeDensities(view);
  const density = ratioDensity(view, layout);
  const shift = shiftPicture(comparison);
  const detection = detectionPicture(comparison);
  const spread = spreadOf(view, layout);
  const figures: readonly (Figure | null)[] = [
    {
      name: 'times',
      title: 'Times and ratio, run by run',
      pictures: [times.picture, ratio.picture],
      caption: timesCaption(view, { times, ratio, single: layout.single }),
      hasSides: true,
      wide: true,
    },
    {
      name: 'noise',
      title: 'What disturbed the runs',
      pictures: noise.pictures,
      caption: noiseCaption(noise),
      hasSides: false,
      wide: true,
    },
    overlap && {
      name: 'overlap',
      title: 'Which iterations are pairs',
      pictures: [overlap.picture],
      caption: `The first iterations of run ${overlap.run + 1}, A above and B below. Lines join the ${countOf(overlap.pairs, 'pair')} that overlap enough; what is pale has no partner.`,
      hasSides: false,
      wide: true,
    },
    timeDensity === null
      ? null
      : {
          name: 'times-distribution',
          title: 'Times',
          pictures: [timeDensity],
          caption:
            'Smoothed by a Gaussian kernel (Silverman’s bandwidth); lines are medians. The outermost 0.5 % on each side are not drawn.',
          hasSides: true,
          wide: false,
        },
    density === null
      ? null
      : {
          name: 'ratio-distribution',
          title: 'Ratios',
          pictures: [density],
          caption: `${layout.single || methodFacts[points.method].pairs !== 'none' ? 'Of the pairs' : 'Of the means of the runs'}, smoothed in the same way; the band is the ${formatChosenShare(comparison.interval.level)} interval of their mean, which decides.`,
          hasSides: false,
          wide: false,
        },
    shift === null
      ? null
      : {
          name: 'shift',
          title: 'Where the times differ',
          pictures: [shift],
          caption: `The ratio of the quantiles of the times, from the fastest on the left to the slowest on the right; the band holds all of them at ${formatChosenShare(comparison.interval.level)}.`,
          hasSides: false,
          wide: false,
        },
    detection === null
      ? null
      : {
          name: 'detection',
          title: 'Which slowdowns would be found',
          pictures: [detection],
          caption: detectionCaption(view),
          hasSides: false,
          wide: false,
        },
    spread && {
      name: 'spread',
      title: 'Where the spread comes from',
      pictures: [spreadPicture(spread)],
      caption: spreadCaption(view, layout),
      hasSides: false,
      wide: false,
    },
  ];
  return figures.filter((figure) => figure !== null);
}

function spreadCaption({ points }: BenchmarkView, { single }: Pick<RunLayout, 'single'>): string {
  if (points.segments !== null)
    return 'Variance components of the ratio’s logarithm over runs, segments of steady performance and iterations.';
  return single
    ? 'One iteration a run: it does not show how much the iterations of a run vary.'
    : 'Variance components of the ratio’s logarithm over runs and iterations, where each run is taken as one segment.';
}

function timesCaption(
  { comparison, points }: BenchmarkView,
  { times, ratio, single }: { readonly times: DrawnSeries; readonly ratio: DrawnSeries; readonly single: boolean },
): string {
  const metric = { cpu: 'CPU times', time: 'Wall times', undelayed: 'Wall times without waiting for a CPU' }[
    points.metric
  ];
  const segments = points.segments === null ? 0 : points.segments.sides.A.runs.length;
  return [
    `${metric} of A and B above, their ratio below, in the order of the runs.`,
    single ? 'A line joins the two sides of a run.' : null,
    !single && points.runs.some(({ sides: { A, B } }) => A.warmupNs.length + B.warmupNs.length > 0)
      ? 'Grey: warm-up, which is not judged.'
      : null,
    !single ? 'Each run has a colour; a short line is the geometric mean of a run.' : null,
    methodFacts[points.method].pairs === 'none'
      ? 'The sides ran one after the other: a ratio is that of the means of a run.'
      : null,
    segments > 0 ? 'Heavy lines are segments of steady performance; where they step, a change point was found.' : null,
    `The band is the ${formatChosenShare(comparison.interval.level)} interval${comparison.margin > 0 ? ', dashed lines are the margin' : ''}.`,
    times.each > 1
      ? `There are too many iterations to draw each: a mark stands for ${countOf(Math.max(times.each, ratio.each), 'consecutive iteration')}, a dot at their median, a bar from the smallest to the largest.`
      : null,
    times.outside + ratio.outside > 0
      ? `${countOf(times.outside, 'time')} and ${countOf(ratio.outside, 'ratio')} lie far beyond the others and are drawn at the edge.`
      : null,
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

function noiseCaption({ pictures, absent, unreported }: ReturnType<typeof noisePictures>): string {
  return [
    pictures.length > 0 ? 'Over each run, lined up with the times above.' : null,
    absent.length > 0 ? `Looked for, and never happened: ${absent.join(', ')}.` : null,
    unreported.length > 0 ? `Not reported by this machine: ${unreported.join(', ')}.` : null,
  ]
    .filter((sentence) => sentence !== null)
    .join(' ');
}

function detectionCaption({ comparison }: BenchmarkView): string {
  const more = [2, 4].flatMap((factor) => {
    const point = detectionCurve(comparison, factor)?.find(({ probability }) => probability === 0.8);
    return point === undefined
      ? []
      : [
          `${formatShare(point.slowdown)} with ${factor} times as many ${{ host: 'hosts', layout: 'layouts' }[comparison.resampled.unit as string] ?? 'runs'}`,
        ];
  });
  return (
    `The probability that a true slowdown is called slower. One of ${formatShare(comparison.minimalDetectableSlowdown)} would be in 4 of 5 such experiments` +
    `${more.length === 0 ? '' : ` (fainter lines: ${more.join(', ')})`}.`
  );
}
