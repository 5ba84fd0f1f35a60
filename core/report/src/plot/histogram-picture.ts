import { verdictOrder } from '../report-input.ts';
import type { Verdict } from '@deadheat/model';
import { axisTicks, robustDomain } from './axes.ts';
import { picture, type Mark } from './drawing.ts';
import { path, tenth } from './element.ts';

/** A ratio of two versions with what is certain of it. */
export interface HistogramRatio {
  readonly ratio: number;
  readonly verdict: Verdict;
}

const bins = 41;

/**
 * How many ratios lie where, as differences in percent, stacked by verdict. The middle bin is centred on no difference; ratios far off are counted
 * in the last bin at their end.
 */
export function renderHistogram(ratios: readonly HistogramRatio[]): string {
  const differences = Float64Array.from(ratios, ({ ratio }) => Math.log(ratio));
  const { low, high } = robustDomain(differences, [0]);
  const reach = Math.max(-low, high, 1e-4);
  const width = (2 * reach) / bins;
  const counts = verdictOrder.map(() => new Uint32Array(bins));
  ratios.forEach(({ verdict }, at) => {
    const bin = Math.floor(((differences[at] ?? 0) + reach) / width);
    const own = counts[verdictOrder.indexOf(verdict)];
    const place = Math.min(bins - 1, Math.max(0, bin));
    if (own !== undefined) own[place] = (own[place] ?? 0) + 1;
  });
  const totals = Array.from({ length: bins }, (_, bin) => counts.reduce((sum, own) => sum + (own[bin] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const percent = ([-reach, reach] as const).map((end) => Math.expm1(end) * 100);
  const ticks = axisTicks([percent[0] ?? 0, percent[1] ?? 0], 8);
  const stacked = new Float64Array(bins);
  const label = `${ratios.length} ratios as differences in percent, ${verdictOrder
    .map((verdict) => `${ratios.filter((one) => one.verdict === verdict).length} ${verdict}`)
    .join(', ')}`;
  return picture(
    {
      width: 1040,
      height: 180,
      marginLeft: 64,
      marginRight: 24,
      marginTop: 24,
      marginBottom: 28,
      x: {
        domain: [-reach, reach],
        ticks: ticks.values.map((value) => Math.log1p(value / 100)),
        tickFormat: (value) => {
          const text = (Math.expm1(value) * 100).toFixed(ticks.decimals);
          return Number(text) > 0 ? `+${text} %` : `${Number(text) === 0 ? '0' : text} %`;
        },
        tickSize: 4,
      },
      y: { domain: [0, most], label: '↑ benchmarks', grid: true, ticks: Math.min(4, most) },
      marks: [
        ...verdictOrder.map((verdict, index): Mark => (pen) => {
          let bars = '';
          for (let bin = 0; bin < bins; bin += 1) {
            const count = counts[index]?.[bin] ?? 0;
            if (count === 0) continue;
            const from = stacked[bin] ?? 0;
            stacked[bin] = from + count;
            const [x0, x1] = [pen.x(-reach + bin * width), pen.x(-reach + (bin + 1) * width)];
            bars += `M${tenth(x0 + 0.5)},${tenth(pen.y(from))}H${tenth(x1 - 0.5)}V${tenth(pen.y(from + count))}H${tenth(x0 + 0.5)}z`;
          }
          return path(`span ${verdict}`, bars);
        }),
        ({ x, top, bottom }) => path('zero', `M${tenth(x(0))},${top}V${bottom}`),
      ],
    },
    { label },
  );
}
