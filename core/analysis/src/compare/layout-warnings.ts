import {
  type Benchmark,
  type ExperimentConfig,
  type LayoutSpread,
  metricKinds,
  sides,
  type Warning,
} from '@deadheat/model';
import { studentTQuantile } from '@deadheat/stats';
import type { Judgement } from './judging.ts';
import { percentChange } from './total-time.ts';

/**
 * How much layouts differ where no experiment of the user has measured it: the pooled standard deviation of the log ratio of two builds of the
 * program of `npm run bench -- layouts` (docs/benchmarks.md, section on layouts).
 */
const publishedSpread: LayoutSpread = { deviation: 0.008, degrees: 105, source: "deadheat's published figure" };

/** Counts of both sides are the same work below this relative difference; a program start in another folder takes a few instructions more. */
const sameWork = 0.0005;
/** And below this part of the difference in time. */
const partOfTime = 0.1;

/**
 * The difference of two builds, relative, that layouts alone exceed with a probability of 1 - confidence: Student's quantile times the standard
 * deviation of one ratio.
 */
function reachOf({ deviation, degrees }: LayoutSpread, confidence: number): number {
  return Math.expm1(studentTQuantile((1 + confidence) / 2, degrees) * deviation);
}

/**
 * LAYOUT_SUSPECTED: B is slower or faster without more or less work, by less than layouts of one program differ. Builds of several layouts have that in
 * their interval already, and A against itself is one build.
 */
export function layoutSuspected(
  { deciding, others }: { readonly deciding: Judgement; readonly others: readonly Judgement[] },
  { benchmark, config }: { readonly benchmark: Benchmark; readonly config: ExperimentConfig },
): Warning[] {
  const { verdict, metric, decides } = deciding;
  const isTime = metricKinds[metric].unit === 'ns';
  const isOfOneBuild = benchmark.controlOf !== null || benchmark.layouts !== undefined;
  const work = others.find((other) => metricKinds[other.metric].work === true);
  if ((verdict !== 'slower' && verdict !== 'faster') || !isTime || isOfOneBuild || work === undefined) return [];
  const spread = config.layoutSpread ?? publishedSpread;
  const difference = Math.abs(Math.log(decides.estimate));
  const reach = reachOf(spread, config.confidence);
  const counted = Math.max(...[work.decides.low, work.decides.high].map((ratio) => Math.abs(Math.log(ratio))));
  if (counted > Math.min(sameWork, partOfTime * difference) || difference >= Math.log1p(reach)) return [];
  return [
    {
      code: 'LAYOUT_SUSPECTED',
      message:
        `B is ${verdict} (${percentChange(decides.estimate)}) with the same ${metricKinds[work.metric].name} (${percentChange(work.decides.estimate)}), and two layouts ` +
        `of one program may differ by up to ${(100 * reach).toFixed(1)} % (${spread.source}), so the places of the code may be all that differs; ` +
        'compare several builds (deadheat git --layouts 8), or have a gate pass it with --layout-proof',
    },
  ];
}

/** LAYOUTS_IDENTICAL: builds with seeds of their own came out alike. */
export function layoutsIdentical({ layouts, hooks }: Pick<Benchmark, 'layouts' | 'hooks'>): Warning[] {
  if (layouts === undefined) return [];
  const alike = sides.flatMap((side) => {
    const codes = layouts[side].map(({ code }) => code);
    const known = codes.filter((code) => code !== null);
    const different = new Set(known).size;
    // The hook of the experiment builds after the builds were looked at.
    if (different === codes.length || hooks[side].build !== null) return [];
    if (known.length === 0) return [`no build of ${side} holds machine code`];
    return [
      `the ${codes.length} builds of ${side} hold ${different === 1 ? 'the same machine code' : `${different} different machine codes`}`,
    ];
  });
  if (alike.length === 0) return [];
  return [
    {
      code: 'LAYOUTS_IDENTICAL',
      message:
        `${alike.join(', and ')}, so their layouts are not drawn as --layouts asks; have the build run the compiler and the linker that PATH names ` +
        'first, without a path of its own, or draw a layout from the variable DEADHEAT_LAYOUT_SEED',
    },
  ];
}
